import * as complaint from '../../../src/domain/anamnesis/enums/complaint.ts';
import * as exposures from '../../../src/domain/anamnesis/enums/exposures.ts';
import * as history from '../../../src/domain/anamnesis/enums/history.ts';
import * as medications from '../../../src/domain/anamnesis/enums/medications.ts';
import * as patient from '../../../src/domain/anamnesis/enums/patient.ts';
import { any, noneOf } from '../../../src/domain/red-flags/findings.ts';
import { fromOneMonth, is, isMark, isRash, lasts, upToThreeMonths } from './conditions.ts';
import type { Question } from './question.ts';

const safety = { readByRedFlags: true } as const;

/** What brought it on, medicines, earlier illnesses and who the patient is. */
export const personQuestions: readonly Question[] = [
  {
    id: 'q_triggers',
    type: 'checkbox',
    field: 'complaint.triggers',
    options: complaint.Trigger,
    when: is('rash', 'acne'),
  },
  {
    id: 'q_exposures',
    type: 'checkbox',
    field: 'exposures.recent',
    options: exposures.Exposure,
    when: lasts(...upToThreeMonths),
    ...safety,
  },
  {
    id: 'q_contacts',
    type: 'radio',
    field: 'exposures.contactsAffected',
    options: exposures.ContactsAffected,
    when: (findings) => any(findings.symptoms.local, 'itching') || isRash(findings),
    ...safety,
  },
  {
    id: 'q_sun',
    type: 'radio',
    field: 'exposures.sunExposure',
    options: exposures.SunExposure,
    when: isMark,
  },
  { id: 'q_med_any', type: 'bool', field: 'medications', required: true, ...safety },
  {
    id: 'q_med_name',
    type: 'text',
    field: 'medications[].name',
    range: { min: 1, max: 120 },
    required: true,
  },
  {
    id: 'q_med_purpose',
    type: 'radio',
    field: 'medications[].purpose',
    options: medications.MedicationPurpose,
  },
  {
    id: 'q_med_duration',
    type: 'radio',
    field: 'medications[].duration',
    options: medications.MedicationDuration,
    required: true,
  },
  {
    id: 'q_med_improvement',
    type: 'radio',
    field: 'medications[].improvement',
    options: medications.MedicationImprovement,
    required: true,
  },
  {
    id: 'q_med_start',
    type: 'radio',
    field: 'medications[].startedRelative',
    options: medications.MedicationStart,
    ...safety,
  },
  {
    id: 'q_skin_history',
    type: 'checkbox',
    field: 'history.skinConditions',
    options: history.PastSkinCondition,
    ...safety,
  },
  {
    id: 'q_medical',
    type: 'checkbox',
    field: 'history.medicalConditions',
    options: history.MedicalCondition,
  },
  {
    id: 'q_immune',
    type: 'radio',
    field: 'history.immuneStatus',
    options: history.ImmuneStatus,
    required: true,
    ...safety,
  },
  {
    id: 'q_family',
    type: 'checkbox',
    field: 'history.familyHistory',
    options: history.FamilyHistory,
    when: (findings) => isMark(findings) || any(findings.lesion.surfaceChanges, 'silvery_scale'),
  },
  {
    id: 'q_age',
    type: 'number',
    field: 'patient.ageYears',
    range: { min: 0, max: 120, step: 1 },
    required: true,
    ...safety,
  },
  { id: 'q_gender', type: 'radio', field: 'patient.gender', options: patient.Gender, required: true },
  {
    id: 'q_pregnant',
    type: 'radio',
    field: 'patient.pregnancyStatus',
    options: patient.PregnancyStatus,
    when: ({ patient, ageAtLeast, ageBelow }) =>
      noneOf(patient.sexAtBirth ?? patient.gender, 'male') && ageAtLeast(12) && ageBelow(56),
    required: true,
    ...safety,
  },
  { id: 'q_sun_reaction', type: 'radio', field: 'patient.sunReaction', options: patient.SunReaction },
  {
    id: 'q_impact',
    type: 'radio',
    field: 'complaint.impact',
    options: complaint.Impact,
    when: lasts(...fromOneMonth),
    ...safety,
  },
  { id: 'q_notes', type: 'text', field: 'complaint.description', range: { max: 1000 } },
];
