import { airwaySigns } from './emergency-rules.ts';
import type { RedFlagRule } from './evaluate-red-flags.ts';
import { any, atLeast, noneOf } from './findings.ts';

/** Rules whose flag needs a physician the same day. */
export const highRules: readonly RedFlagRule[] = [
  {
    id: 'RF03',
    flag: 'angioedema',
    urgency: 'high',
    source: 'NHS; ACE-inhibitor note',
    holds: ({ lesion, complaint, symptoms }) =>
      any(lesion.swellingSites, 'lips', 'tongue', 'throat', 'face') &&
      any(complaint.onsetSpeed, 'minutes', 'hours') &&
      noneOf(symptoms.emergency, ...airwaySigns),
  },
  {
    id: 'RF07',
    flag: 'non_blanching_rash',
    urgency: 'high',
    source: 'NICE NG240; MTS (very urgent in children)',
    holds: ({ lesion, complaint }) =>
      any(lesion.blanching, 'non_blanching') && any(complaint.duration, 'one_day', 'less_than_one_week'),
  },
  {
    id: 'RF10',
    flag: 'spreading_infection_systemic',
    urgency: 'high',
    source: 'NICE NG141',
    holds: ({ lesion, symptoms }) =>
      any(lesion.skinTemperature, 'warm', 'hot') &&
      any(symptoms.systemic, 'fever', 'chills') &&
      any(symptoms.local, 'pain', 'tenderness'),
  },
  {
    id: 'RF13',
    flag: 'possible_eczema_herpeticum',
    urgency: 'high',
    source: 'NICE QS44 statement 7',
    holds: ({ history, lesion, symptoms, complaint, febrile }) =>
      any(history.skinConditions, 'eczema') &&
      any(lesion.lesionTypes, 'vesicle', 'erosion', 'pustule') &&
      (febrile || any(symptoms.local, 'pain')) &&
      any(complaint.progression, 'rapidly_worsening', 'spreading_within_hours'),
  },
  {
    id: 'RF14',
    flag: 'possible_dress',
    urgency: 'high',
    source: 'RegiSCAR; onset after 2 to 8 weeks',
    holds: ({ startedMedicine, febrile, lesion, extentAtLeast }) =>
      startedMedicine('before_problem_3_to_28_days', 'before_problem_4_to_8_weeks') &&
      febrile &&
      (any(lesion.swellingSites, 'face', 'lymph_nodes') || extentAtLeast('from_50_to_90_percent')),
  },
  {
    id: 'RF15',
    flag: 'ophthalmic_zoster',
    urgency: 'high',
    source: 'NICE CKS shingles; Hutchinson sign',
    holds: ({ lesion, isAt }) =>
      any(lesion.lesionTypes, 'vesicle') &&
      isAt('forehead', 'eyelid', 'around_eye', 'nose') &&
      (any(lesion.distribution, 'unilateral') ||
        any(lesion.arrangement, 'dermatomal') ||
        any(lesion.eyeSymptoms, 'redness', 'pain', 'light_sensitivity', 'blurred_vision')),
  },
  {
    id: 'RF16',
    flag: 'shingles_antiviral_window',
    urgency: 'high',
    source: 'NICE CKS',
    holds: ({ lesion, complaint, ageAtLeast, history }) =>
      any(lesion.lesionTypes, 'vesicle') &&
      any(lesion.arrangement, 'dermatomal') &&
      any(complaint.duration, 'one_day', 'less_than_one_week') &&
      (ageAtLeast(50) || noneOf(history.immuneStatus, 'normal')),
  },
  {
    id: 'RF17',
    flag: 'immunosuppressed_and_unwell',
    urgency: 'high',
    source: 'NICE CKS; NG253',
    holds: ({ history, lesion, febrile }) =>
      any(
        history.immuneStatus,
        'immunosuppressive_medication',
        'transplant',
        'chemotherapy',
        'hiv_uncontrolled',
        'asplenia',
      ) &&
      (febrile || any(lesion.lesionTypes, 'vesicle', 'ulcer', 'purpura')),
  },
  {
    id: 'RF18',
    flag: 'infant_fever_or_blisters',
    urgency: 'high',
    source: 'NICE NG143',
    holds: ({ ageBelow, lesion, febrile }) =>
      ageBelow(1) && (febrile || any(lesion.lesionTypes, 'vesicle', 'bulla', 'purpura')),
    // NG143 means the first three months; years cannot tell them, so every baby is on the safe side.
    worse: { urgency: 'emergency', when: ({ symptoms }) => atLeast(symptoms.temperatureC, 38) },
  },
  {
    id: 'RF20',
    flag: 'possible_kawasaki',
    urgency: 'high',
    source: 'NICE NG143',
    holds: ({ ageBelow, complaint, lesion, febrile }) =>
      ageBelow(5) &&
      febrile &&
      noneOf(complaint.duration, 'one_day') &&
      (any(lesion.eyeSymptoms, 'redness') ||
        any(lesion.mucosalSites, 'lips') ||
        any(lesion.swellingSites, 'hands_or_feet')),
  },
  {
    id: 'RF21',
    flag: 'rash_in_pregnancy',
    urgency: 'high',
    source: 'UKHSA viral rash in pregnancy',
    holds: ({ patient, lesion, complaint, exposures, febrile }) =>
      any(patient.pregnancyStatus, 'pregnant') &&
      (any(lesion.lesionTypes, 'vesicle') ||
        (febrile && any(complaint.category, 'rash')) ||
        any(exposures.contactsAffected, 'household_same_rash')),
  },
  {
    id: 'RF29',
    flag: 'possible_vasculitis',
    urgency: 'high',
    source: 'Vasculitis with joints, gut or kidneys involved',
    holds: ({ lesion, symptoms }) =>
      any(lesion.lesionTypes, 'purpura') &&
      any(symptoms.systemic, 'joint_pain', 'abdominal_pain', 'dark_urine'),
  },
  {
    id: 'RF32',
    flag: 'self_harm_risk',
    urgency: 'high',
    source: 'Safeguarding',
    holds: ({ complaint }) => any(complaint.impact, 'thoughts_of_self_harm'),
  },
];
