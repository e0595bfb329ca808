import { describe, expect, test } from 'vitest';
import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import { Gender } from '../../../../src/domain/intake/anamnesis/vocabulary/patient.ts';
import {
  LocationPrimary,
  LocationSecondary,
} from '../../../../src/domain/intake/anamnesis/vocabulary/locations.ts';
import { Size } from '../../../../src/domain/intake/anamnesis/vocabulary/lesion-appearance.ts';
import {
  MedicationImprovement,
  MedicationPurpose,
} from '../../../../src/domain/intake/anamnesis/vocabulary/medications.ts';
import { placesOf } from '../../../../src/domain/intake/questions/places.ts';
import { present } from '../../../../src/domain/intake/questions/present.ts';
import type { Question, Questionnaire } from '../../../../src/domain/intake/questions/question.ts';
import { safetyQuestionnaire } from '../../../../src/domain/intake/questions/safety-questionnaire.ts';
import { safetyQuestions } from '../../../../src/domain/intake/questions/safety-questions.ts';

const needing = (question: Question, steering = false) => ({
  open: new Set([question.field]),
  emergency: new Set<string>(),
  steering: steering ? [question.field] : [],
});

function shown(
  question: Question,
  anamnesis: PartialAnamnesis,
  { at = 0, steering = false, text = '{item}', language = 'en' as 'en' | 'he' } = {},
) {
  const questionnaire: Questionnaire = {
    questions: [question],
    textOf: () => ({ text }),
    isDrafted: () => false,
  };
  const place = placesOf([question], anamnesis, needing(question, steering))[at];
  if (place === undefined) throw new Error(`no place ${at}`);
  return present(place, anamnesis, questionnaire, language);
}

function safetyQuestion(id: string, anamnesis: PartialAnamnesis = {}, language: 'en' | 'he' | 'ar' = 'en') {
  const [question] = safetyQuestions.filter((it) => it.id === id);
  const [place] = question ? placesOf([question], anamnesis, needing(question)) : [];
  if (place === undefined) throw new Error(`no question ${id}`);
  return present(place, anamnesis, safetyQuestionnaire, language);
}

describe('options', () => {
  test('"none" comes last, so that it is not chosen before the signs have been read', () => {
    const { optionValues = [], options } = safetyQuestion('q_safety');
    expect(optionValues.at(-1)).toBe('none');
    expect(options.at(-1)).toBe('None of these');
    expect(options).toHaveLength(optionValues.length);
  });

  test.each([
    'q_safety',
    'q_mucosa',
    'q_blanching',
    'q_types',
    'q_immune',
    'q_eyes',
    'q_changes',
    'q_gender',
  ])('of %s that mean "nothing" or "do not know" follow all others', (id) => {
    const { optionValues = [] } = safetyQuestion(id);
    const last = new Set<unknown>([
      'none',
      'not_applicable',
      'not_tested',
      'not_sure',
      'unknown',
      'prefer_not_to_say',
    ]);
    const firstOfThem = optionValues.findIndex((value) => last.has(value));
    expect(firstOfThem).toBeGreaterThan(0);
    expect(optionValues.slice(firstOfThem).every((value) => last.has(value))).toBe(true);
  });

  test('a required safety question can be answered with "not sure"', () => {
    expect(safetyQuestion('q_mucosa')).toMatchObject({ required: true, skippable: false, safety: true });
    expect(safetyQuestion('q_mucosa').optionValues).toContain('not_sure');
  });

  test('yes and no are true and false', () => {
    expect(safetyQuestion('q_med_any')).toMatchObject({
      options: ['Yes', 'No'],
      optionValues: [true, false],
    });
    expect(safetyQuestion('q_med_any', {}, 'he').options).toEqual(['כן', 'לא']);
  });

  test('excluded values are not offered', () => {
    const question: Question = {
      id: 'q_x',
      type: 'radio',
      field: 'patient.gender',
      options: Gender,
      without: ['other'],
    };
    expect(shown(question, {}).optionValues).toEqual(['female', 'male', 'unknown', 'prefer_not_to_say']);
  });
});

describe('only answers that fit the others are offered', () => {
  const gender: Question = { id: 'q_gender', type: 'radio', field: 'patient.gender', options: Gender };
  const age: Question = {
    id: 'q_age',
    type: 'number',
    field: 'patient.ageYears',
    range: { min: 0, max: 120, step: 1 },
  };

  test('a pregnant patient is between 10 and 60, and not male', () => {
    expect(shown(age, { patient: { pregnancyStatus: 'pregnant' } })).toMatchObject({ min: 10, max: 60 });
    expect(shown(age, {})).toMatchObject({ min: 0, max: 120, step: 1 });
    expect(shown(gender, { patient: { pregnancyStatus: 'pregnant', ageYears: 30 } }).optionValues).toEqual([
      'female',
      'other',
      'unknown',
      'prefer_not_to_say',
    ]);
  });

  test('the months of a baby fit its years', () => {
    expect(safetyQuestion('q_age_months', { patient: { ageYears: 0 } })).toMatchObject({ min: 0, max: 11 });
    expect(safetyQuestion('q_age_months', { patient: { ageYears: 1 } })).toMatchObject({ min: 12, max: 23 });
  });

  test('a size in millimetres decides the size', () => {
    const size: Question = { id: 'q_size', type: 'radio', field: 'lesion.size', options: Size };
    expect(shown(size, { lesion: { sizeMm: 6.5 } }).optionValues).toEqual(['from_2_to_6_mm', 'not_sure']);
  });

  test('a medicine for this skin problem has an effect: "not applicable" is not offered', () => {
    const medicine = (purpose: 'this_skin_problem' | 'other_condition'): PartialAnamnesis => ({
      medications: [{ purpose }],
    });
    const effect: Question = {
      id: 'q_effect',
      type: 'radio',
      field: 'medications[].improvement',
      options: MedicationImprovement,
    };
    expect(shown(effect, medicine('this_skin_problem')).optionValues).not.toContain('not_applicable');
    expect(shown(effect, medicine('other_condition')).optionValues).toContain('not_applicable');
    const purpose: Question = {
      id: 'q_purpose',
      type: 'radio',
      field: 'medications[].purpose',
      options: MedicationPurpose,
    };
    expect(shown(purpose, { medications: [{ improvement: 'not_applicable' }] }).optionValues).not.toContain(
      'this_skin_problem',
    );
  });

  test('only regions that have the exact place, and only places of the region', () => {
    const region: Question = {
      id: 'q_location',
      type: 'checkbox',
      field: 'locations[].primary',
      options: LocationPrimary,
    };
    const detail: Question = {
      id: 'q_detail',
      type: 'checkbox',
      field: 'locations[].secondary',
      options: LocationSecondary,
      whenAt: () => true,
    };
    expect(shown(region, { locations: [{ secondary: 'ear' }] }).optionValues).toEqual(['head_neck']);
    expect(shown(detail, { locations: [{ primary: 'arm' }] }).optionValues).toEqual([
      'shoulder',
      'upper_arm',
      'elbow',
      'elbow_crease',
      'forearm',
      'wrist',
    ]);
    expect(shown(detail, { locations: [{ primary: 'mouth' }] })).toMatchObject({ min: 1, max: 5 });
  });

  test('never more than twenty locations', () => {
    const locations = Array.from({ length: 18 }, (_, index) => ({
      primary: 'leg' as const,
      ...(index > 0 && { secondary: 'shin' as const }),
    }));
    const detail: Question = {
      id: 'q_detail',
      type: 'checkbox',
      field: 'locations[].secondary',
      options: LocationSecondary,
      whenAt: () => true,
    };
    expect(shown(detail, { locations })).toMatchObject({ min: 1, max: 3 });
  });
});

describe('skippable questions', () => {
  test('an optional question, and an empty choice only where no option means "none"', () => {
    expect(safetyQuestion('q_reporter', { patient: { ageYears: 3 } })).toMatchObject({
      required: false,
      skippable: true,
    });
    expect(safetyQuestion('q_safety')).toMatchObject({ required: true, skippable: false, min: 1, max: 12 });
  });

  test('a steering question is marked as a safety question', () => {
    const plain: Question = { id: 'q_x', type: 'number', field: 'symptoms.temperatureC', range: { max: 43 } };
    expect(shown(plain, {}, { steering: true })).toMatchObject({ safety: true });
    expect(shown(plain, {})).not.toHaveProperty('safety');
  });
});

describe('texts', () => {
  test('isolate the name of a medicine, with hidden characters, from the sentence', () => {
    const start: Question = { id: 'q_start', type: 'text', field: 'medications[].startedRelative' };
    const text = 'When? – {item}';
    expect(shown(start, { medications: [{ name: 'ibu\u202Eprofen' }] }, { text }).questionText).toBe(
      'When? – \u2068ibu profen\u2069',
    );
    expect(shown(start, { medications: [{}] }, { text }).questionText).toBe('When?');
  });

  test('name the place that a question is about', () => {
    const side = (locations: PartialAnamnesis['locations']) =>
      safetyQuestion('q_side', locations === undefined ? {} : { locations }).questionText;
    expect(side([{ primary: 'arm' }])).toBe('Which side? – Arm');
    expect(side([{ primary: 'arm', secondary: 'elbow' }])).toBe('Which side? – Elbow');
  });

  test('of a machine-drafted language are marked', () => {
    expect(safetyQuestion('q_age', {}, 'ar').machineDrafted).toBe(true);
    expect(safetyQuestion('q_age')).not.toHaveProperty('machineDrafted');
  });

  test('isolate numbers in right-to-left languages only', () => {
    const pain: PartialAnamnesis = { symptoms: { local: ['pain'] } };
    expect(safetyQuestion('q_pain', pain, 'he').questionText).toContain('\u206810\u2069');
    expect(safetyQuestion('q_pain', pain).questionText).not.toMatch(/[\u2066-\u2069]/);
  });
});
