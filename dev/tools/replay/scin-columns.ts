// The columns of SCIN's `scin_cases.csv` and their values in our questionnaire.
import { z } from 'zod';
import { keysOf } from './keys-of.ts';

/** Columns of one question: an unticked box is empty, and so are all boxes of an unanswered question. */
const ticked = z.enum(['YES', '']).transform((text) => text === 'YES');
const path = z.string().regex(/^(?!.*\.\.)[\w./-]*$/, 'must be a path below the folder');
const shot = z.enum(['CLOSE_UP', 'AT_AN_ANGLE', 'AT_DISTANCE', '']);

export const ageGroups = {
  AGE_18_TO_29: 'age_18_to_29',
  AGE_30_TO_39: 'age_30_to_39',
  AGE_40_TO_49: 'age_40_to_49',
  AGE_50_TO_59: 'age_50_to_59',
  AGE_60_TO_69: 'age_60_to_69',
  AGE_70_TO_79: 'age_70_to_79',
  AGE_80_OR_ABOVE: 'age_80_or_above',
  AGE_UNKNOWN: 'unknown',
  '': 'unknown',
} as const;

/** `NONE_IDENTIFIED` is the CSV's word, `NONE_SELECTED` the description's. */
export const skinTypes = {
  FST1: 'type_1',
  FST2: 'type_2',
  FST3: 'type_3',
  FST4: 'type_4',
  FST5: 'type_5',
  FST6: 'type_6',
  NONE_IDENTIFIED: 'unknown',
  NONE_SELECTED: 'unknown',
  '': undefined,
} as const;

export const categories = {
  RASH: 'rash',
  GROWTH_OR_MOLE: 'growth_or_mole',
  ACNE: 'acne',
  HAIR_LOSS: 'hair_loss',
  OTHER_HAIR_PROBLEM: 'other_hair_problem',
  NAIL_PROBLEM: 'nail_problem',
  PIGMENTARY_PROBLEM: 'pigmentary_problem',
  LOOKS_HEALTHY: 'looks_healthy',
  OTHER_ISSUE_DESCRIPTION: 'other',
  '': 'other',
} as const;

export const durations = {
  ONE_DAY: 'one_day',
  LESS_THAN_ONE_WEEK: 'less_than_one_week',
  ONE_TO_FOUR_WEEKS: 'one_to_four_weeks',
  ONE_TO_THREE_MONTHS: 'one_to_three_months',
  THREE_TO_TWELVE_MONTHS: 'three_to_twelve_months',
  MORE_THAN_ONE_YEAR: 'more_than_one_year',
  MORE_THAN_FIVE_YEARS: 'more_than_five_years',
  SINCE_CHILDHOOD: 'since_childhood',
  UNKNOWN: 'unknown',
  '': 'unknown',
} as const;

export const kinds = {
  CLOSE_UP: 'close_up',
  AT_AN_ANGLE: 'at_an_angle',
  AT_DISTANCE: 'at_distance',
} as const;

export const places = {
  body_parts_head_or_neck: { primary: 'head_neck' },
  body_parts_arm: { primary: 'arm' },
  body_parts_palm: { primary: 'hand', secondary: 'palm' },
  body_parts_back_of_hand: { primary: 'hand', secondary: 'back_of_hand' },
  body_parts_torso_front: { primary: 'trunk_front' },
  body_parts_torso_back: { primary: 'trunk_back' },
  body_parts_genitalia_or_groin: { primary: 'groin_genitals' },
  body_parts_buttocks: { primary: 'buttocks', secondary: 'buttock' },
  body_parts_leg: { primary: 'leg' },
  body_parts_foot_top_or_side: { primary: 'foot', secondary: 'top_of_foot' },
  body_parts_foot_sole: { primary: 'foot', secondary: 'sole' },
  body_parts_other: { primary: 'other', secondary: 'other_site' },
} as const;

export const textures = {
  textures_raised_or_bumpy: 'raised_or_bumpy',
  textures_flat: 'flat',
  textures_rough_or_flaky: 'rough_or_flaky',
  textures_fluid_filled: 'fluid_filled',
} as const;

export const localSymptoms = {
  condition_symptoms_itching: 'itching',
  condition_symptoms_burning: 'burning',
  condition_symptoms_pain: 'pain',
  condition_symptoms_bleeding: 'bleeding',
  condition_symptoms_bothersome_appearance: 'bothersome_appearance',
} as const;

/** Asked together with the symptoms. */
export const changes = {
  condition_symptoms_increasing_size: 'size',
  condition_symptoms_darkening: 'color',
} as const;

export const systemicSymptoms = {
  other_symptoms_fever: 'fever',
  other_symptoms_chills: 'chills',
  other_symptoms_fatigue: 'fatigue',
  other_symptoms_joint_pain: 'joint_pain',
  other_symptoms_mouth_sores: 'mouth_sores',
  // Ticked by 3 of 100 contributors, so it is not an emergency by itself.
  other_symptoms_shortness_of_breath: 'shortness_of_breath',
} as const;

export const ScinRow = z.object({
  case_id: z.string().min(1),
  age_group: z.enum(keysOf(ageGroups)),
  sex_at_birth: z.enum(['FEMALE', 'MALE', 'OTHER_OR_UNSPECIFIED', '']),
  fitzpatrick_skin_type: z.enum(keysOf(skinTypes)),
  related_category: z.enum(keysOf(categories)),
  condition_duration: z.enum(keysOf(durations)),
  image_1_path: path,
  image_2_path: path,
  image_3_path: path,
  image_1_shot_type: shot,
  image_2_shot_type: shot,
  image_3_shot_type: shot,
  ...boxes(places),
  ...boxes(textures),
  ...boxes(localSymptoms),
  ...boxes(changes),
  ...boxes(systemicSymptoms),
  condition_symptoms_no_relevant_experience: ticked,
  other_symptoms_no_relevant_symptoms: ticked,
});
export type ScinRow = z.output<typeof ScinRow>;

function boxes<Column extends string>(values: Readonly<Record<Column, unknown>>) {
  return Object.fromEntries(keysOf(values).map((column) => [column, ticked])) as Record<
    Column,
    typeof ticked
  >;
}
