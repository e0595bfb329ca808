import * as complaint from '../../../src/domain/anamnesis/enums/complaint.ts';
import * as locations from '../../../src/domain/anamnesis/enums/locations.ts';
import * as symptoms from '../../../src/domain/anamnesis/enums/symptoms.ts';
import { any, atLeast } from '../../../src/domain/red-flags/findings.ts';
import { lasts, upToFourWeeks } from './conditions.ts';
import { isPaired } from './paired-places.ts';
import type { Question } from './question.ts';

const severity = { min: 0, max: 10, step: 1 };
const safety = { readByRedFlags: true } as const;

/** What can be an emergency first; then photos, the complaint, where it is, how long and what it feels like. */
export const complaintQuestions: readonly Question[] = [
  {
    id: 'q_safety',
    type: 'checkbox',
    field: 'symptoms.emergency',
    options: symptoms.EmergencySymptom,
    required: true,
    ...safety,
  },
  { id: 'q_photo_close', type: 'camera', field: 'images', required: true },
  { id: 'q_photo_overview', type: 'camera', field: 'images' },
  {
    id: 'q_category',
    type: 'radio',
    field: 'complaint.category',
    options: complaint.ComplaintCategory,
    required: true,
    ...safety,
  },
  {
    id: 'q_location',
    type: 'checkbox',
    field: 'locations[].primary',
    options: locations.LocationPrimary,
    required: true,
  },
  {
    id: 'q_location_detail',
    type: 'checkbox',
    field: 'locations[].secondary',
    options: locations.LocationSecondary,
    whenAt: ({ primary }) => primary !== undefined,
    ...safety,
  },
  {
    id: 'q_side',
    type: 'radio',
    field: 'locations[].side',
    options: locations.LocationSide,
    whenAt: isPaired,
  },
  {
    id: 'q_duration',
    type: 'radio',
    field: 'complaint.duration',
    options: complaint.Duration,
    required: true,
    ...safety,
  },
  {
    id: 'q_onset',
    type: 'radio',
    field: 'complaint.onsetSpeed',
    options: complaint.OnsetSpeed,
    when: lasts(...upToFourWeeks),
    ...safety,
  },
  {
    id: 'q_progression',
    type: 'radio',
    field: 'complaint.progression',
    options: complaint.Progression,
    ...safety,
  },
  {
    id: 'q_symptoms',
    type: 'checkbox',
    field: 'symptoms.local',
    options: symptoms.LocalSymptom,
    required: true,
    ...safety,
  },
  {
    id: 'q_itch',
    type: 'number',
    field: 'symptoms.itchSeverity',
    range: severity,
    when: ({ symptoms }) => any(symptoms.local, 'itching'),
  },
  {
    id: 'q_pain',
    type: 'number',
    field: 'symptoms.painSeverity',
    range: severity,
    when: ({ symptoms }) => any(symptoms.local, 'pain', 'burning', 'tenderness'),
    ...safety,
  },
  {
    id: 'q_pain_type',
    type: 'radio',
    field: 'symptoms.painCharacter',
    options: symptoms.PainCharacter,
    when: ({ symptoms }) => atLeast(symptoms.painSeverity, 4),
    ...safety,
  },
  {
    id: 'q_systemic',
    type: 'checkbox',
    field: 'symptoms.systemic',
    options: symptoms.SystemicSymptom,
    required: true,
    ...safety,
  },
  {
    id: 'q_temperature',
    type: 'number',
    field: 'symptoms.temperatureC',
    range: { min: 34, max: 43, step: 0.1 },
    when: ({ symptoms }) => any(symptoms.systemic, 'fever', 'chills'),
    ...safety,
  },
];
