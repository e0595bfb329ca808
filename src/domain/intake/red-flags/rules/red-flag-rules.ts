import type { RedFlagRule } from './red-flag-rule.ts';
import { allergyAndMedicineRules } from './allergy-and-medicines.ts';
import { blisteringRules } from './blistering.ts';
import { bloodAndVesselRules } from './blood-and-vessels.ts';
import { childrenAndPregnancyRules } from './children-and-pregnancy.ts';
import { eyesAndShinglesRules } from './eyes-and-shingles.ts';
import { infectionRules } from './infection.ts';
import { longStandingRules } from './long-standing.ts';
import { markRules } from './marks.ts';
import { woundRules } from './wounds.ts';

/** Every rule there is: the gateway checks them all itself, whatever the AI service says. */
export const redFlagRules: readonly RedFlagRule[] = [
  ...allergyAndMedicineRules,
  ...infectionRules,
  ...woundRules,
  ...bloodAndVesselRules,
  ...blisteringRules,
  ...childrenAndPregnancyRules,
  ...eyesAndShinglesRules,
  ...markRules,
  ...longStandingRules,
];
