import type { z } from 'zod';
import { enumeration } from './enumeration.ts';

export const EmergencySymptom = enumeration(
  'EmergencySymptom',
  'Safety screen: signs that are happening right now. Any value but `none` is an emergency.',
  [
    'none',
    'difficulty_breathing',
    'throat_tightness',
    'tongue_swelling',
    'noisy_breathing',
    'fainting',
    'confusion',
    'stiff_neck',
    'very_fast_heartbeat',
    'mottled_or_blue_skin',
    'unable_to_drink',
    'drowsy_child',
  ],
);
export type EmergencySymptom = z.infer<typeof EmergencySymptom>;

export const LocalSymptom = enumeration('LocalSymptom', 'What is felt on the skin.', [
  'none',
  'itching',
  'burning',
  'pain',
  'tenderness',
  'numbness',
  'tingling',
  'bleeding',
  'bothersome_appearance',
  'not_sure',
]);
export type LocalSymptom = z.infer<typeof LocalSymptom>;

export const SystemicSymptom = enumeration('SystemicSymptom', 'Symptoms of the whole body.', [
  'none',
  'fever',
  'chills',
  'fatigue',
  'joint_pain',
  'mouth_sores',
  'shortness_of_breath',
  'headache',
  'sore_throat',
  'vomiting',
  'abdominal_pain',
  'weight_loss',
  'night_sweats',
  'muscle_weakness',
  'dark_urine',
  'facial_weakness',
  'not_sure',
]);
export type SystemicSymptom = z.infer<typeof SystemicSymptom>;

export const PainCharacter = enumeration(
  'PainCharacter',
  'What the pain is like. `out_of_proportion`: far worse than the skin looks.',
  ['none', 'dull', 'sharp', 'burning_or_electric', 'throbbing', 'out_of_proportion', 'not_sure'],
);
export type PainCharacter = z.infer<typeof PainCharacter>;

export const SymptomTiming = enumeration('SymptomTiming', 'When the symptoms come.', [
  'constant',
  'intermittent',
  'worse_at_night',
  'each_spot_under_24_hours',
  'after_exposure',
]);
export type SymptomTiming = z.infer<typeof SymptomTiming>;

export const SleepDisturbance = enumeration('SleepDisturbance', 'How much it disturbs sleep.', [
  'none',
  'mild',
  'moderate',
  'severe',
]);
export type SleepDisturbance = z.infer<typeof SleepDisturbance>;
