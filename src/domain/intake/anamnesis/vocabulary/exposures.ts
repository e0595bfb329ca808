import type { z } from 'zod';
import { enumeration } from './enumeration.ts';

export const Exposure = enumeration('Exposure', 'What the patient was exposed to in the past weeks.', [
  'none',
  'new_cosmetic',
  'new_detergent',
  'plants',
  'metal_jewellery',
  'cleaning_products',
  'pets',
  'farm_animals',
  'insect_bite',
  'tick_bite',
  'travel',
  'hot_tub_or_pool',
  'strong_sun',
  'pesticide',
  'new_food',
  'wound_or_cut',
  'animal_bite',
  'new_sexual_partner',
  'similar_rash_contact',
  'human_bite',
  'snake_bite',
  'needlestick',
  'cosmetic_injection',
  'not_sure',
]);
export type Exposure = z.infer<typeof Exposure>;

export const ContactsAffected = enumeration(
  'ContactsAffected',
  'Whether people nearby have the same problem, or an infection by name.',
  [
    'none',
    'household_itching',
    'household_same_rash',
    'school_or_work',
    'chickenpox_or_shingles',
    'measles',
    'rubella_or_slapped_cheek',
    'meningitis',
    'unknown',
  ],
);
export type ContactsAffected = z.infer<typeof ContactsAffected>;

export const TravelRegion = enumeration('TravelRegion', 'Where the patient travelled recently.', [
  'none',
  'europe',
  'north_america',
  'latin_america',
  'africa',
  'middle_east',
  'south_asia',
  'southeast_asia',
  'oceania',
]);
export type TravelRegion = z.infer<typeof TravelRegion>;

export const SunExposure = enumeration('SunExposure', 'How much sun the skin has had.', [
  'low',
  'occasional_sunburn',
  'regular_outdoor',
  'outdoor_work',
  'tanning_bed',
]);
export type SunExposure = z.infer<typeof SunExposure>;

export const OccupationRisk = enumeration('OccupationRisk', 'Work that strains the skin.', [
  'none',
  'wet_work',
  'healthcare',
  'hairdressing',
  'construction',
  'agriculture',
  'food_handling',
  'mechanic',
  'cleaning',
]);
export type OccupationRisk = z.infer<typeof OccupationRisk>;
