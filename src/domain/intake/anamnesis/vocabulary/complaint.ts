import type { z } from 'zod';
import { enumeration } from './enumeration.ts';

export const ComplaintCategory = enumeration(
  'ComplaintCategory',
  'Kind of skin problem, as the patient would name it.',
  [
    'rash',
    'growth_or_mole',
    'acne',
    'hair_loss',
    'other_hair_problem',
    'nail_problem',
    'pigmentary_problem',
    'wound_or_bite',
    'looks_healthy',
    'other',
  ],
);
export type ComplaintCategory = z.infer<typeof ComplaintCategory>;

export const Duration = enumeration('Duration', 'How long the problem has been there.', [
  'one_day',
  'less_than_one_week',
  'one_to_four_weeks',
  'one_to_three_months',
  'three_to_twelve_months',
  'more_than_one_year',
  'more_than_five_years',
  'since_childhood',
  'unknown',
]);
export type Duration = z.infer<typeof Duration>;

export const OnsetSpeed = enumeration('OnsetSpeed', 'How quickly it appeared.', [
  'minutes',
  'hours',
  'days',
  'weeks',
  'months',
  'unknown',
]);
export type OnsetSpeed = z.infer<typeof OnsetSpeed>;

export const Course = enumeration('Course', 'Course over time.', [
  'first_episode',
  'persistent',
  'recurrent',
  'seasonal',
  'unknown',
]);
export type Course = z.infer<typeof Course>;

export const Progression = enumeration('Progression', 'Whether it is getting better or worse.', [
  'improving',
  'stable',
  'slowly_worsening',
  'rapidly_worsening',
  'spreading_within_hours',
  'not_sure',
]);
export type Progression = z.infer<typeof Progression>;

export const Trigger = enumeration('Trigger', 'What brings it on or makes it worse.', [
  'none_known',
  'food',
  'medication',
  'heat_or_sweating',
  'cold',
  'sunlight',
  'stress',
  'contact_product',
  'friction_or_pressure',
  'shaving',
  'infection',
  'menstrual_cycle',
  'exercise',
  'insect',
  'other',
]);
export type Trigger = z.infer<typeof Trigger>;

// The DLQI is copyrighted, so one plain question stands in for it.
export const Impact = enumeration(
  'Impact',
  'How much it affects the patient’s life. `thoughts_of_self_harm` is a red flag.',
  ['none', 'mild', 'moderate', 'severe', 'thoughts_of_self_harm', 'prefer_not_to_say'],
);
export type Impact = z.infer<typeof Impact>;
