import * as complaint from '../anamnesis/vocabulary/complaint.ts';
import * as exposures from '../anamnesis/vocabulary/exposures.ts';
import * as history from '../anamnesis/vocabulary/history.ts';
import * as patient from '../anamnesis/vocabulary/patient.ts';
import { has } from '../red-flags/conditions.ts';
import { all, not, onlyIfShown, some } from '../red-flags/answer-logic.ts';
import type { Question } from './question.ts';

const safety = true;

/** Background: exposures, other illnesses and what can be asked last. */
export const backgroundQuestions: readonly Question[] = [
  {
    id: 'q_travel',
    type: 'radio',
    field: 'exposures.travelRegion',
    options: exposures.TravelRegion,
    safety,
  },
  {
    id: 'q_exposures',
    type: 'checkbox',
    field: 'exposures.recent',
    options: exposures.Exposure,
    safety,
  },
  {
    id: 'q_travel',
    type: 'radio',
    field: 'exposures.travelRegion',
    options: exposures.TravelRegion,
    // A bite on a journey counts as one abroad until the region is known.
    when: all(
      onlyIfShown(has('exposures.recent', 'animal_bite')),
      onlyIfShown(has('exposures.recent', 'travel')),
    ),
  },
  {
    id: 'q_contacts',
    type: 'radio',
    field: 'exposures.contactsAffected',
    options: exposures.ContactsAffected,
    safety,
  },
  {
    id: 'q_measles',
    type: 'radio',
    field: 'history.measlesVaccination',
    options: history.VaccinationStatus,
    safety,
  },
  {
    id: 'q_medical',
    type: 'checkbox',
    field: 'history.medicalConditions',
    options: history.MedicalCondition,
    safety,
  },
  {
    id: 'q_skin_history',
    type: 'checkbox',
    field: 'history.skinConditions',
    options: history.PastSkinCondition,
    safety,
  },
  { id: 'q_course', type: 'radio', field: 'complaint.course', options: complaint.Course, safety },
  {
    id: 'q_pregnancy_weeks',
    type: 'number',
    field: 'patient.pregnancyWeeks',
    range: { min: 1, max: 44, step: 1 },
    when: all(has('patient.pregnancyStatus', 'pregnant'), has('symptoms.local', 'itching')),
  },
  {
    id: 'q_impact',
    type: 'radio',
    field: 'complaint.impact',
    options: complaint.Impact,
    when: some(
      has('complaint.category', 'acne', 'hair_loss'),
      all(
        not(has('complaint.category', 'growth_or_mole', 'nail_problem')),
        has(
          'complaint.duration',
          'one_to_three_months',
          'three_to_twelve_months',
          'more_than_one_year',
          'more_than_five_years',
          'since_childhood',
        ),
      ),
    ),
    safety,
  },
  {
    id: 'q_gender',
    type: 'radio',
    field: 'patient.gender',
    options: patient.Gender,
    required: true,
  },
];
