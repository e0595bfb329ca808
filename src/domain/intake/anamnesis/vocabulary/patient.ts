import type { z } from 'zod';
import { enumeration } from './enumeration.ts';

export const Reporter = enumeration(
  'Reporter',
  'The person who answers the questions (FHIR QuestionnaireResponse.source).',
  ['self', 'parent_guardian', 'caregiver', 'clinician'],
);
export type Reporter = z.infer<typeof Reporter>;

export const Gender = enumeration('Gender', 'Gender as the patient states it (FHIR administrative-gender).', [
  'female',
  'male',
  'other',
  'prefer_not_to_say',
  'unknown',
]);
export type Gender = z.infer<typeof Gender>;

export const SexAtBirth = enumeration('SexAtBirth', 'Sex recorded at birth.', [
  'female',
  'male',
  'intersex',
  'prefer_not_to_say',
]);
export type SexAtBirth = z.infer<typeof SexAtBirth>;

// Bands from 18 on are SCIN’s; the child bands are ours.
export const AgeGroup = enumeration(
  'AgeGroup',
  'Age band in completed years, when the exact age is unknown. `unknown` satisfies no age condition.',
  [
    'age_0_to_1',
    'age_2_to_11',
    'age_12_to_17',
    'age_18_to_29',
    'age_30_to_39',
    'age_40_to_49',
    'age_50_to_59',
    'age_60_to_69',
    'age_70_to_79',
    'age_80_or_above',
    'unknown',
  ],
);
export type AgeGroup = z.infer<typeof AgeGroup>;

export const FitzpatrickSkinType = enumeration('FitzpatrickSkinType', 'Fitzpatrick skin type I to VI.', [
  'type_1',
  'type_2',
  'type_3',
  'type_4',
  'type_5',
  'type_6',
  'unknown',
]);
export type FitzpatrickSkinType = z.infer<typeof FitzpatrickSkinType>;

export const SunReaction = enumeration(
  'SunReaction',
  'How the skin reacts to the sun, the question behind the Fitzpatrick types.',
  [
    'always_burns_never_tans',
    'usually_burns_lightly_tans',
    'sometimes_burns_evenly_tans',
    'rarely_burns_tans_well',
    'very_rarely_burns_easily_tans',
    'never_burns_always_tans',
    'none_of_the_above',
  ],
);
export type SunReaction = z.infer<typeof SunReaction>;

export const MonkSkinTone = enumeration('MonkSkinTone', 'Monk Skin Tone scale, 1 lightest to 10 darkest.', [
  'mst_1',
  'mst_2',
  'mst_3',
  'mst_4',
  'mst_5',
  'mst_6',
  'mst_7',
  'mst_8',
  'mst_9',
  'mst_10',
]);
export type MonkSkinTone = z.infer<typeof MonkSkinTone>;

export const PregnancyStatus = enumeration(
  'PregnancyStatus',
  'Whether the patient is pregnant or breastfeeding.',
  ['not_applicable', 'not_pregnant', 'pregnant', 'postpartum', 'breastfeeding', 'unknown'],
);
export type PregnancyStatus = z.infer<typeof PregnancyStatus>;

export const BabyMobility = enumeration(
  'BabyMobility',
  'Whether a baby moves about alone: rolls over, crawls, pulls up or walks.',
  ['moves_alone', 'not_yet', 'not_sure'],
);
export type BabyMobility = z.infer<typeof BabyMobility>;
