import * as history from '../anamnesis/vocabulary/history.ts';
import * as appearance from '../anamnesis/vocabulary/lesion-appearance.ts';
import * as signs from '../anamnesis/vocabulary/lesion-signs.ts';
import * as locations from '../anamnesis/vocabulary/locations.ts';
import * as medications from '../anamnesis/vocabulary/medications.ts';
import * as patient from '../anamnesis/vocabulary/patient.ts';
import * as symptoms from '../anamnesis/vocabulary/symptoms.ts';
import { ageBelow, ageFrom, has } from '../red-flags/conditions.ts';
import { onHead } from '../red-flags/findings/appearance.ts';
import { febrile } from '../red-flags/findings/illness.ts';
import { newMedicine } from '../red-flags/findings/medicines.ts';
import { all, type Condition, decided, open, some } from '../red-flags/answer-logic.ts';
import type { Question } from './question.ts';

const severity = { min: 0, max: 10, step: 1 };
const safety = true;
const canBePregnant = all(ageFrom(12), ageBelow(56));
/** By the sex at birth, or else by gender. A person who states neither can be pregnant, too. */
const isNotMale: Condition = ({ patient: { sexAtBirth, gender } = {} }) => {
  const sex = sexAtBirth ?? gender;
  return sex === undefined ? open('patient.gender') : decided(sex !== 'male');
};

/** Questions about emergencies, the most dangerous first; the same for every AI service. */
export const dangerQuestions: readonly Question[] = [
  {
    id: 'q_safety',
    type: 'checkbox',
    field: 'symptoms.emergency',
    options: symptoms.EmergencySymptom,
    required: true,
  },
  {
    id: 'q_age',
    type: 'number',
    field: 'patient.ageYears',
    range: { min: 0, max: 120, step: 1 },
    required: true,
  },
  {
    id: 'q_age_months',
    type: 'number',
    field: 'patient.ageMonths',
    range: { min: 0, max: 23, step: 1 },
    // Asked about every baby, before fever: unknown months count as fewer than three.
    when: ageBelow(2),
    required: true,
  },
  {
    id: 'q_reporter',
    type: 'radio',
    field: 'reporter',
    options: patient.Reporter,
    when: ageBelow(16),
  },
  {
    id: 'q_gender',
    type: 'radio',
    field: 'patient.gender',
    options: patient.Gender,
    when: canBePregnant,
    required: true,
  },
  {
    id: 'q_pregnant',
    type: 'radio',
    field: 'patient.pregnancyStatus',
    options: patient.PregnancyStatus,
    when: all(canBePregnant, isNotMale),
    required: true,
  },
  {
    id: 'q_systemic',
    type: 'checkbox',
    field: 'symptoms.systemic',
    options: symptoms.SystemicSymptom,
    required: true,
  },
  {
    id: 'q_temperature',
    type: 'number',
    field: 'symptoms.temperatureC',
    range: { min: 34, max: 43, step: 0.1 },
    // In the first year the number decides; for older patients it is asked when nothing is more urgent.
    when: all(febrile, ageBelow(1)),
  },
  {
    id: 'q_immune',
    type: 'radio',
    field: 'history.immuneStatus',
    options: history.ImmuneStatus,
    when: febrile,
    safety,
  },
  { id: 'q_med_any', type: 'bool', field: 'medications', required: true },
  {
    id: 'q_med_name',
    type: 'text',
    field: 'medications[].name',
    range: { min: 1, max: 120 },
    // Without a fever, name and class exclude no emergency and are asked after the complaint.
    when: febrile,
    safety,
  },
  {
    id: 'q_med_start',
    type: 'radio',
    field: 'medications[].startedRelative',
    options: medications.MedicationStart,
    required: true,
  },
  {
    id: 'q_med_class',
    type: 'radio',
    field: 'medications[].drugClass',
    options: medications.MedicationClass,
    when: febrile,
    safety,
  },
  {
    id: 'q_mucosa',
    type: 'checkbox',
    field: 'lesion.mucosalSites',
    options: signs.MucosalSite,
    when: newMedicine,
    safety,
  },
  {
    id: 'q_types',
    type: 'checkbox',
    field: 'lesion.lesionTypes',
    options: appearance.LesionType,
    when: some(febrile, newMedicine),
    safety,
  },
  {
    id: 'q_colors',
    type: 'checkbox',
    field: 'lesion.colors',
    options: appearance.Color,
    when: febrile,
    safety,
  },
  {
    id: 'q_blanching',
    type: 'radio',
    field: 'lesion.blanching',
    options: signs.Blanching,
    when: febrile,
    safety,
  },
  {
    id: 'q_location',
    type: 'checkbox',
    field: 'locations[].primary',
    options: locations.LocationPrimary,
    required: true,
  },
  {
    id: 'q_swelling',
    type: 'checkbox',
    field: 'lesion.swellingSites',
    options: signs.SwellingSite,
    when: all(febrile, onHead),
    safety,
  },
  {
    id: 'q_eyes',
    type: 'checkbox',
    field: 'lesion.eyeSymptoms',
    options: signs.EyeSymptom,
    when: all(febrile, onHead),
    safety,
  },
  {
    id: 'q_symptoms',
    type: 'checkbox',
    field: 'symptoms.local',
    options: symptoms.LocalSymptom,
    required: true,
  },
  {
    id: 'q_pain',
    type: 'number',
    field: 'symptoms.painSeverity',
    range: severity,
    when: has('symptoms.local', 'pain', 'burning', 'tenderness'),
    safety,
  },
];
