import type { RedFlagRule } from './red-flag-rule.ts';
import { allergyAndMedicineRules } from './rules/allergy-and-medicines.ts';
import { blisteringRules } from './rules/blistering.ts';
import { bloodAndVesselRules } from './rules/blood-and-vessels.ts';
import { childrenAndPregnancyRules } from './rules/children-and-pregnancy.ts';
import { eyesAndShinglesRules } from './rules/eyes-and-shingles.ts';
import { infectionRules } from './rules/infection.ts';
import { longStandingRules } from './rules/long-standing.ts';
import { markRules } from './rules/marks.ts';
import { woundRules } from './rules/wounds.ts';

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
