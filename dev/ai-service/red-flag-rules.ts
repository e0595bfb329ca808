import type { RedFlagRule } from '../../src/domain/red-flags/evaluate-red-flags.ts';
import { any, atLeast } from '../../src/domain/red-flags/findings.ts';
import { safetyNetRules } from '../../src/domain/red-flags/safety-net.ts';
import { sevenPointScore } from './seven-point-score.ts';

/** Rules of urgency medium and low, which only the AI service checks. */
export const lesserRules: readonly RedFlagRule[] = [
  {
    id: 'RF22',
    flag: 'suspicious_pigmented_lesion',
    urgency: 'medium',
    source: 'NICE NG12 weighted 7-point checklist',
    holds: (findings) =>
      sevenPointScore(findings) >= 3 &&
      (any(findings.complaint.category, 'growth_or_mole', 'pigmentary_problem') ||
        any(findings.lesion.colors, 'brown', 'black', 'blue')),
  },
  {
    id: 'RF23',
    flag: 'rapidly_growing_nodule',
    urgency: 'medium',
    source: 'NICE NG12 nodular melanoma; EFG rule',
    holds: ({ complaint, lesion }) =>
      any(complaint.category, 'growth_or_mole') &&
      any(lesion.elevation, 'raised', 'slightly_raised') &&
      any(lesion.textures, 'firm_or_hard') &&
      any(lesion.changes, 'size') &&
      any(complaint.duration, 'one_to_four_weeks', 'one_to_three_months'),
  },
  {
    id: 'RF24',
    flag: 'non_healing_lesion',
    urgency: 'medium',
    source: 'NICE NG12 squamous cell carcinoma',
    holds: ({ ageAtLeast, lesion, symptoms, complaint }) =>
      ageAtLeast(40) &&
      any(lesion.count, 'single') &&
      (any(lesion.surfaceChanges, 'ulcerated', 'crusted') || any(symptoms.local, 'bleeding')) &&
      any(complaint.duration, 'one_to_three_months', 'three_to_twelve_months', 'more_than_one_year') &&
      any(complaint.category, 'growth_or_mole', 'wound_or_bite', 'other'),
  },
  {
    id: 'RF25',
    flag: 'growing_lesion_immunosuppressed',
    urgency: 'medium',
    source: 'NICE 2005 / NG12 transplant note',
    holds: ({ history, lesion, complaint }) =>
      any(history.immuneStatus, 'transplant', 'immunosuppressive_medication') &&
      any(lesion.changes, 'size', 'new_lesion') &&
      any(complaint.category, 'growth_or_mole'),
  },
  {
    id: 'RF26',
    flag: 'acral_or_nail_pigment',
    urgency: 'medium',
    source: 'Acral melanoma',
    holds: ({ isAt, lesion }) =>
      (isAt('sole', 'palm', 'fingernail', 'toenail') &&
        any(lesion.colors, 'brown', 'black') &&
        any(lesion.changes, 'size', 'color')) ||
      any(lesion.nailChanges, 'widening_dark_streak'),
  },
  {
    id: 'RF27',
    flag: 'possible_bcc',
    urgency: 'low',
    source: 'NICE NG12 basal cell carcinoma: routine unless site or size matters',
    holds: ({ lesion, complaint }) =>
      any(lesion.surfaceChanges, 'shiny_pearly') &&
      any(complaint.duration, 'three_to_twelve_months', 'more_than_one_year'),
    worse: { urgency: 'medium', when: ({ isAt }) => isAt('eyelid', 'nose', 'lips', 'ear') },
  },
  {
    id: 'RF28',
    flag: 'possible_erythema_migrans',
    urgency: 'medium',
    source: 'NICE NG95',
    holds: ({ exposures, lesion }) =>
      any(exposures.recent, 'tick_bite') &&
      (any(lesion.shape, 'ring') || any(lesion.changes, 'size')) &&
      any(lesion.size, 'from_21_to_50_mm', 'over_50_mm'),
  },
  {
    id: 'RF30',
    flag: 'possible_syphilis_or_sti',
    urgency: 'medium',
    source: 'Syphilis',
    holds: ({ lesion, exposures }) =>
      any(lesion.distribution, 'palms_and_soles') &&
      (any(exposures.recent, 'new_sexual_partner') || any(lesion.mucosalSites, 'genitals')),
  },
  {
    id: 'RF31',
    flag: 'severe_pain',
    urgency: 'medium',
    source: 'MTS severe pain',
    holds: ({ symptoms }) => atLeast(symptoms.painSeverity, 8),
  },
];

/** All 33 rules. */
export const redFlagRules: readonly RedFlagRule[] = [...safetyNetRules, ...lesserRules];
