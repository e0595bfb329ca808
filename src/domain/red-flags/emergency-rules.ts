import type { EmergencySymptom } from '../anamnesis/enums/symptoms.ts';
import type { RedFlagRule } from './evaluate-red-flags.ts';
import { any, atLeast, noneOf } from './findings.ts';

export const airwaySigns = [
  'difficulty_breathing',
  'throat_tightness',
  'tongue_swelling',
  'noisy_breathing',
] as const satisfies EmergencySymptom[];

/** Rules whose flag sends the patient to emergency services. */
export const emergencyRules: readonly RedFlagRule[] = [
  {
    id: 'RF01',
    flag: 'airway_or_breathing',
    urgency: 'emergency',
    source: 'NHS anaphylaxis; MTS allergy chart (red)',
    holds: ({ symptoms }) => any(symptoms.emergency, ...airwaySigns),
  },
  {
    id: 'RF02',
    flag: 'possible_anaphylaxis',
    urgency: 'emergency',
    source: 'NHS anaphylaxis',
    holds: ({ lesion, symptoms, complaint }) =>
      (any(lesion.lesionTypes, 'wheal') || any(lesion.swellingSites, 'lips', 'face', 'eyelids')) &&
      (any(symptoms.emergency, 'fainting', 'difficulty_breathing') ||
        any(symptoms.systemic, 'vomiting', 'shortness_of_breath')) &&
      any(complaint.duration, 'one_day'),
  },
  {
    id: 'RF04',
    flag: 'possible_sjs_ten',
    urgency: 'emergency',
    source: 'StatPearls / Klimas 2015: over 80 to 95 % are drug reactions, mostly in weeks 1 to 3, up to 8',
    holds: ({ lesion, symptoms, newDrug, febrile }) =>
      any(lesion.mucosalSites, 'mouth', 'lips', 'eyes', 'genitals') &&
      (newDrug || febrile) &&
      (any(symptoms.local, 'pain', 'burning') ||
        any(lesion.lesionTypes, 'bulla', 'erosion') ||
        any(lesion.surfaceChanges, 'peeling_in_sheets')),
  },
  {
    id: 'RF05',
    flag: 'widespread_blistering',
    urgency: 'emergency',
    source: 'SJS/TEN: 10 and 30 % of the body surface',
    holds: ({ lesion, extentAtLeast }) =>
      (any(lesion.lesionTypes, 'bulla') || any(lesion.surfaceChanges, 'peeling_in_sheets')) &&
      extentAtLeast('from_10_to_30_percent'),
  },
  {
    id: 'RF06',
    flag: 'non_blanching_rash_unwell',
    urgency: 'emergency',
    source: 'NICE NG240; Meningitis Now glass test',
    holds: ({ lesion, symptoms, complaint, febrile }) =>
      any(lesion.blanching, 'non_blanching') &&
      (febrile ||
        any(symptoms.emergency, 'stiff_neck', 'confusion', 'drowsy_child', 'mottled_or_blue_skin') ||
        any(complaint.progression, 'spreading_within_hours')),
  },
  {
    id: 'RF08',
    flag: 'possible_necrotising_infection',
    urgency: 'emergency',
    source: 'NHS; BMJ BP; RCEM necrotising fasciitis',
    holds: ({ symptoms, complaint, lesion, febrile }) =>
      (any(symptoms.painCharacter, 'out_of_proportion') ||
        (atLeast(symptoms.painSeverity, 8) && any(symptoms.local, 'numbness'))) &&
      (febrile ||
        any(complaint.progression, 'spreading_within_hours') ||
        any(lesion.colors, 'black', 'grey', 'purple')),
  },
  {
    id: 'RF09',
    flag: 'possible_sepsis',
    urgency: 'emergency',
    source: 'NICE NG253 (was NG51)',
    holds: ({ symptoms, lesion, febrile }) =>
      any(
        symptoms.emergency,
        'confusion',
        'very_fast_heartbeat',
        'mottled_or_blue_skin',
        'unable_to_drink',
      ) &&
      (any(lesion.skinTemperature, 'hot') ||
        any(lesion.discharge, 'pus') ||
        febrile ||
        any(lesion.lesionTypes, 'ulcer')),
  },
  {
    id: 'RF11',
    flag: 'periorbital_infection',
    urgency: 'emergency',
    source: 'NICE NG141',
    holds: ({ isAt, lesion, febrile }) =>
      isAt('eyelid', 'around_eye') &&
      (any(lesion.eyeSymptoms, 'pain_on_movement', 'blurred_vision') ||
        (febrile && any(lesion.swellingSites, 'eyelids'))),
  },
  {
    id: 'RF12',
    flag: 'erythroderma',
    urgency: 'emergency',
    source: 'BAD/PCDS via Nursing in Practice: over 90 % of the body surface',
    holds: ({ lesion, symptoms }) =>
      any(lesion.extent, 'over_90_percent') ||
      (any(lesion.extent, 'from_50_to_90_percent') && any(symptoms.systemic, 'chills', 'fever')),
  },
  {
    id: 'RF19',
    flag: 'possible_scalded_skin',
    urgency: 'emergency',
    source: 'Staphylococcal scalded skin syndrome: spares the mucous membranes',
    holds: ({ ageBelow, lesion, symptoms }) =>
      ageBelow(6) &&
      any(lesion.surfaceChanges, 'peeling', 'peeling_in_sheets') &&
      any(symptoms.local, 'pain', 'tenderness') &&
      noneOf(lesion.mucosalSites, 'mouth', 'lips', 'eyes', 'genitals', 'anus', 'nose'),
  },
  {
    id: 'RF33',
    flag: 'emergency_symptom',
    urgency: 'emergency',
    source: 'The safety screen alone is enough',
    holds: ({ symptoms }) => (symptoms.emergency ?? []).some((sign) => sign !== 'none'),
    unlessEmergency: true,
  },
];
