import type { z } from 'zod';
import { enumeration } from './enumeration.ts';

export const MedicationClass = enumeration('MedicationClass', 'Class of the medicine.', [
  'antibiotic',
  'anticonvulsant',
  'nsaid',
  'allopurinol',
  'ace_inhibitor',
  'antifungal',
  'antiviral',
  'antihistamine',
  'topical_steroid',
  'oral_steroid',
  'moisturizer',
  'retinoid',
  'immunosuppressant',
  'biologic',
  'hormonal',
  'chemotherapy',
  'herbal',
  'other',
  'unknown',
]);
export type MedicationClass = z.infer<typeof MedicationClass>;

export const MedicationRoute = enumeration(
  'MedicationRoute',
  'How the medicine is taken (FHIR Dosage.route).',
  ['topical', 'oral', 'injection', 'inhaled', 'nasal', 'eye_drops', 'suppository', 'patch', 'other'],
);
export type MedicationRoute = z.infer<typeof MedicationRoute>;

export const MedicationPurpose = enumeration('MedicationPurpose', 'What the medicine is taken for.', [
  'this_skin_problem',
  'other_condition',
]);
export type MedicationPurpose = z.infer<typeof MedicationPurpose>;

export const MedicationDuration = enumeration('MedicationDuration', 'How long the medicine has been used.', [
  'single_dose',
  'less_than_one_week',
  'one_to_two_weeks',
  'two_to_eight_weeks',
  'two_to_six_months',
  'more_than_six_months',
  'unknown',
]);
export type MedicationDuration = z.infer<typeof MedicationDuration>;

export const MedicationImprovement = enumeration(
  'MedicationImprovement',
  'What the medicine did to the skin problem. `not_applicable` is not for a medicine taken for it.',
  ['resolved', 'much_better', 'slightly_better', 'no_change', 'worse', 'too_early', 'not_applicable'],
);
export type MedicationImprovement = z.infer<typeof MedicationImprovement>;

// Latencies of severe drug reactions: SJS/TEN 5 to 28 days, DRESS 2 to 8 weeks.
export const MedicationStart = enumeration(
  'MedicationStart',
  'When the medicine was started, compared with the skin problem.',
  [
    'before_problem_under_72_hours',
    'before_problem_3_to_28_days',
    'before_problem_4_to_8_weeks',
    'long_before',
    'after_problem_started',
    'unknown',
  ],
);
export type MedicationStart = z.infer<typeof MedicationStart>;
