import type { z } from 'zod';
import { enumeration } from './enumeration.ts';

export const PastSkinCondition = enumeration('PastSkinCondition', 'Skin conditions the patient has or had.', [
  'none',
  'eczema',
  'psoriasis',
  'acne',
  'rosacea',
  'urticaria',
  'contact_allergy',
  'fungal_infection',
  'cold_sores',
  'shingles',
  'skin_cancer',
  'atypical_moles',
  'keloid',
  'other',
  'not_sure',
]);
export type PastSkinCondition = z.infer<typeof PastSkinCondition>;

export const MedicalCondition = enumeration('MedicalCondition', 'Other conditions the patient has.', [
  'none',
  'diabetes',
  'asthma',
  'hay_fever',
  'autoimmune_disease',
  'thyroid_disease',
  'kidney_disease',
  'liver_disease',
  'heart_disease',
  'venous_insufficiency',
  'cancer',
  'hiv',
  'inflammatory_bowel_disease',
  'other',
  'not_sure',
]);
export type MedicalCondition = z.infer<typeof MedicalCondition>;

export const ImmuneStatus = enumeration('ImmuneStatus', 'State of the immune system.', [
  'normal',
  'immunosuppressive_medication',
  'transplant',
  'chemotherapy',
  'hiv_uncontrolled',
  'asplenia',
  'unknown',
]);
export type ImmuneStatus = z.infer<typeof ImmuneStatus>;

export const AllergyType = enumeration('AllergyType', 'Known allergies.', [
  'none',
  'medication',
  'food',
  'metal_nickel',
  'fragrance',
  'latex',
  'insect_venom',
  'pollen',
  'other',
]);
export type AllergyType = z.infer<typeof AllergyType>;

export const FamilyHistory = enumeration('FamilyHistory', 'Conditions in the close family.', [
  'none',
  'melanoma',
  'other_skin_cancer',
  'psoriasis',
  'eczema_or_asthma',
  'autoimmune_disease',
  'unknown',
]);
export type FamilyHistory = z.infer<typeof FamilyHistory>;

export const SkinCancerHistory = enumeration('SkinCancerHistory', 'Skin cancer the patient had.', [
  'none',
  'melanoma',
  'basal_cell',
  'squamous_cell',
  'actinic_keratosis',
  'type_unknown',
]);
export type SkinCancerHistory = z.infer<typeof SkinCancerHistory>;

export const SmokingStatus = enumeration('SmokingStatus', 'Whether the patient smokes.', [
  'never',
  'former',
  'current',
  'unknown',
]);
export type SmokingStatus = z.infer<typeof SmokingStatus>;

export const AlcoholUse = enumeration('AlcoholUse', 'Whether the patient drinks alcohol.', [
  'none',
  'occasional',
  'regular',
  'unknown',
]);
export type AlcoholUse = z.infer<typeof AlcoholUse>;

export const RecentInfection = enumeration('RecentInfection', 'Infection in the preceding weeks.', [
  'none',
  'cold_or_flu',
  'sore_throat',
  'cold_sore',
  'stomach_infection',
  'covid_19',
  'other',
]);
export type RecentInfection = z.infer<typeof RecentInfection>;

export const VaccinationStatus = enumeration(
  'VaccinationStatus',
  'Whether a vaccination is complete for the patient’s age.',
  ['complete', 'incomplete', 'none', 'not_sure'],
);
export type VaccinationStatus = z.infer<typeof VaccinationStatus>;
