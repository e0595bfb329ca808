import type { RedFlagRule } from './red-flag-rule.ts';
import { allergyAndMedicineRules } from './allergy-and-medicines.ts';
import { blisteringRules } from './blistering.ts';
import { bloodAndVesselRules } from './blood-and-vessels.ts';
import { childrenAndPregnancyRules } from './children-and-pregnancy.ts';
import { eyesAndShinglesRules } from './eyes-and-shingles.ts';
import { infectionRules } from './infection.ts';
import { longStandingRules } from './long-standing.ts';
import { markRules } from './marks.ts';
import { tickAndPartnerRules } from './ticks-and-partners.ts';
import { travelContactAndInjuryRules } from './travel-contacts-and-injuries.ts';
import { vesselRules } from './vessels.ts';
import { woundRules } from './wounds.ts';

/** All rules: the gateway checks every one itself, regardless of the AI service's reply. */
export const redFlagRules: readonly RedFlagRule[] = [
  ...allergyAndMedicineRules,
  ...infectionRules,
  ...woundRules,
  ...travelContactAndInjuryRules,
  ...bloodAndVesselRules,
  ...vesselRules,
  ...blisteringRules,
  ...childrenAndPregnancyRules,
  ...eyesAndShinglesRules,
  ...markRules,
  ...tickAndPartnerRules,
  ...longStandingRules,
];
