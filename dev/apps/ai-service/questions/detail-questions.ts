import * as complaint from '../../../../src/domain/intake/anamnesis/vocabulary/complaint.ts';
import * as exposures from '../../../../src/domain/intake/anamnesis/vocabulary/exposures.ts';
import * as history from '../../../../src/domain/intake/anamnesis/vocabulary/history.ts';
import * as appearance from '../../../../src/domain/intake/anamnesis/vocabulary/lesion-appearance.ts';
import * as signs from '../../../../src/domain/intake/anamnesis/vocabulary/lesion-signs.ts';
import * as locations from '../../../../src/domain/intake/anamnesis/vocabulary/locations.ts';
import * as medications from '../../../../src/domain/intake/anamnesis/vocabulary/medications.ts';
import * as symptoms from '../../../../src/domain/intake/anamnesis/vocabulary/symptoms.ts';
import type { Question } from '../../../../src/domain/intake/questions/question.ts';
import { ageFrom, has, inRegion } from '../../../../src/domain/intake/red-flags/conditions.ts';
import { markLike, upToFourWeeks } from '../../../../src/domain/intake/red-flags/findings/illness.ts';
import {
  all,
  type Condition,
  decided,
  not,
  some,
} from '../../../../src/domain/intake/red-flags/answer-logic.ts';

const isRash = has('complaint.category', 'rash', 'other');

/** As long as scabies is looked for, and as long as eczema and psoriasis are followed. */
const forWeeks = has('complaint.duration', 'one_to_four_weeks', 'one_to_three_months');
const lasting = has(
  'complaint.duration',
  'three_to_twelve_months',
  'more_than_one_year',
  'more_than_five_years',
  'since_childhood',
);

/** Typical sites of scabies. */
const whereScabiesIs = inRegion('hand', 'groin_genitals', 'generalized', 'foot');

/** A single location is asked for exactly; of several the regions suffice. */
const inOneRegion: Condition = ({ locations = [] }) => decided(locations.length === 1);

/** Scabies, impetigo, chickenpox and other contagious conditions. */
const mayBeContagious = some(
  has('symptoms.timing', 'worse_at_night'),
  has('lesion.surfaceChanges', 'golden_crust'),
  has('lesion.lesionTypes', 'burrow'),
  all(has('lesion.lesionTypes', 'vesicle'), has('lesion.distribution', 'generalized')),
);

/** The photos come after the questions that decide their subject and rule out anything more urgent. */
export const photoQuestions: readonly Question[] = [
  { id: 'q_photo_close', type: 'camera', field: 'images', required: true },
  { id: 'q_photo_overview', type: 'camera', field: 'images', when: not(markLike) },
];

/** The questions that the engine weighs and no red-flag rule reads. */
export const appearanceDetails: readonly Question[] = [
  {
    id: 'q_location_detail',
    type: 'checkbox',
    field: 'locations[].secondary',
    options: locations.LocationSecondary,
    when: inOneRegion,
    whenAt: ({ primary }) => primary !== undefined && primary !== 'other' && primary !== 'generalized',
  },
  {
    id: 'q_surface',
    type: 'checkbox',
    field: 'lesion.surfaceChanges',
    options: signs.SurfaceChange,
    when: isRash,
  },
  {
    id: 'q_distribution',
    type: 'radio',
    field: 'lesion.distribution',
    options: appearance.Distribution,
    when: all(isRash, not(inOneRegion)),
  },
  {
    id: 'q_size',
    type: 'radio',
    field: 'lesion.size',
    options: appearance.Size,
    when: some(markLike, has('complaint.category', 'wound_or_bite')),
    // A rule may need the answer later, and no question may be asked twice.
    required: true,
  },
  {
    id: 'q_hair',
    type: 'checkbox',
    field: 'lesion.hairChanges',
    options: signs.HairChange,
    when: has('complaint.category', 'hair_loss', 'other_hair_problem'),
  },
  {
    id: 'q_timing',
    type: 'radio',
    field: 'symptoms.timing',
    options: symptoms.SymptomTiming,
    when: all(isRash, has('symptoms.local', 'itching'), forWeeks, whereScabiesIs),
  },
  {
    id: 'q_itch',
    type: 'number',
    field: 'symptoms.itchSeverity',
    range: { min: 0, max: 10, step: 1 },
    when: all(isRash, has('symptoms.local', 'itching'), lasting),
  },
];

export const backgroundDetails: readonly Question[] = [
  {
    id: 'q_exposures',
    type: 'checkbox',
    field: 'exposures.recent',
    options: exposures.Exposure,
    when: all(isRash, upToFourWeeks),
  },
  {
    id: 'q_triggers',
    type: 'checkbox',
    field: 'complaint.triggers',
    options: complaint.Trigger,
    when: has('lesion.lesionTypes', 'wheal'),
  },
  {
    id: 'q_contacts',
    type: 'radio',
    field: 'exposures.contactsAffected',
    options: exposures.ContactsAffected,
    when: mayBeContagious,
  },
  {
    id: 'q_family',
    type: 'checkbox',
    field: 'history.familyHistory',
    options: history.FamilyHistory,
    when: some(markLike, has('lesion.surfaceChanges', 'silvery_scale')),
  },
  {
    id: 'q_skin_history',
    type: 'checkbox',
    field: 'history.skinConditions',
    options: history.PastSkinCondition,
    when: some(isRash, has('complaint.category', 'acne', 'hair_loss', 'other_hair_problem')),
  },
  {
    id: 'q_medical',
    type: 'checkbox',
    field: 'history.medicalConditions',
    options: history.MedicalCondition,
    when: all(not(markLike), ageFrom(40)),
    // As with the size: a rule may need it later.
    required: true,
  },
  {
    id: 'q_allergies',
    type: 'checkbox',
    field: 'history.allergies',
    options: history.AllergyType,
    // Of everyone, not only where they explain a rash: who answers may prescribe something.
  },
];

/** The details of a medicine, once its start is known. */
export const medicineDetails: readonly Question[] = [
  {
    id: 'q_med_name',
    type: 'text',
    field: 'medications[].name',
    range: { min: 1, max: 120 },
    required: true,
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
];

/** The free-text note always comes last. */
export const lastQuestions: readonly Question[] = [
  { id: 'q_notes', type: 'text', field: 'complaint.description', range: { max: 1000 } },
];
