import { describe, expect, test } from 'vitest';
import { nextQuestion } from '../../questions/next-question.ts';
import { applyAnswer } from '../../../../packages/client/src/apply-answer.ts';
import type { PartialAnamnesis } from '../../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import { flagText } from '../../../../../src/domain/intake/red-flags/flag-text.ts';
import { walk } from '../../../../tools/intake/guided-patient.ts';

/** Everything before the place. */
const begun: PartialAnamnesis = {
  symptoms: { emergency: ['none'], systemic: ['none'] },
  patient: { ageYears: 34, gender: 'male' },
  medications: [],
};

test('the safety screen comes first', () => {
  expect(nextQuestion({}, [], 'en')).toEqual({
    questionId: 'q_safety',
    questionText: 'Are any of these happening right now?',
    questionType: 'checkbox',
    fieldName: 'symptoms.emergency',
    options: expect.arrayContaining(['None of these', 'Difficulty breathing']),
    isComplete: false,
    optionValues: expect.arrayContaining(['none', 'difficulty_breathing']),
    required: true,
    skippable: false,
    min: 1,
    max: 12,
    help: 'If one of these is happening, call the emergency services first.',
    progress: 0,
  });
});

describe('an emergency', () => {
  test('ends the questionnaire at once and says why', () => {
    const question = nextQuestion({ symptoms: { emergency: ['fainting', 'tongue_swelling'] } }, [], 'es');
    expect(question).toEqual({
      questionId: '',
      questionText: '',
      questionType: 'text',
      fieldName: '',
      options: [],
      optionValues: [],
      isComplete: true,
      progress: 1,
      emergency: ['airway_or_breathing'],
      emergencyDetails: [
        {
          code: 'airway_or_breathing',
          text: flagText('airway_or_breathing', 'es'),
          urgency: 'emergency',
          certainty: 'met',
        },
      ],
      machineDrafted: true,
    });
  });

  test('that open answers keep from being excluded does not end it, a high flag neither', () => {
    const selfHarm: PartialAnamnesis = { ...begun, complaint: { impact: 'thoughts_of_self_harm' } };
    expect(nextQuestion(selfHarm, []).isComplete).toBe(false);
    const spots: PartialAnamnesis = { ...begun, lesion: { lesionTypes: ['purpura'] } };
    const question = nextQuestion(spots, []);
    expect(question).toMatchObject({ isComplete: false, required: true, safety: true });
    expect(question).not.toHaveProperty('emergency');
  });
});

test('the order: screen, age, who, months, pregnancy, fever, medicines, place, feeling, complaint', () => {
  const woman = { q_age: 34, q_gender: 'female', q_pregnant: 'not_pregnant' } as const;
  expect(walk(woman).ids.slice(0, 10)).toEqual([
    'q_safety',
    'q_age',
    'q_gender',
    'q_pregnant',
    'q_systemic',
    'q_med_any',
    'q_location',
    'q_symptoms',
    'q_category',
    'q_duration',
  ]);
  const baby = { q_age: 0, q_age_months: 9, q_systemic: ['fever'], q_temperature: 38.5 };
  expect(walk(baby).ids.slice(0, 7)).toEqual([
    'q_safety',
    'q_age',
    'q_age_months',
    'q_reporter',
    'q_systemic',
    'q_temperature',
    'q_immune',
  ]);
});

describe('locations', () => {
  const regions = nextQuestion(begun, []);

  test('one item per chosen region; exact places where a rule reads them or there is one region only', () => {
    expect(regions).toMatchObject({
      questionId: 'q_location',
      fieldName: 'locations[].primary',
      min: 1,
      max: 14,
    });
    const { anamnesis } = applyAnswer({ anamnesis: begun, skippedQuestions: [] }, regions, ['arm', 'mouth']);
    expect(anamnesis.locations).toEqual([{ primary: 'arm' }, { primary: 'mouth' }]);
    const { asked, state } = walk(
      { q_location: ['arm'], q_location_detail: ['elbow', 'wrist'] },
      { start: begun },
    );
    expect(asked.find(({ questionId }) => questionId === 'q_location_detail[0]')).toMatchObject({
      fieldName: 'locations[0].secondary',
      questionText: expect.stringMatching(/– Arm$/),
      optionValues: ['shoulder', 'upper_arm', 'elbow', 'elbow_crease', 'forearm', 'wrist'],
    });
    expect(state.anamnesis.locations).toEqual([
      { primary: 'arm', secondary: 'elbow' },
      { primary: 'arm', secondary: 'wrist' },
    ]);
  });

  test('a place that was left open is not asked again', () => {
    const { ids, state } = walk({ q_location: ['arm'], q_location_detail: undefined }, { start: begun });
    expect(ids.filter((id) => id === 'q_location_detail')).toHaveLength(1);
    expect(state.skippedQuestions).toContain('q_location_detail[0]');
  });
});

describe('medicines', () => {
  const { medications: _unasked, ...beforeMedicines } = begun;

  test('are asked for once; yes opens one, no opens none', () => {
    const question = nextQuestion(beforeMedicines, []);
    expect(question).toMatchObject({
      questionId: 'q_med_any',
      fieldName: 'medications',
      options: ['Yes', 'No'],
      optionValues: [true, false],
    });
    const answered = (yes: boolean) =>
      applyAnswer({ anamnesis: beforeMedicines, skippedQuestions: [] }, question, yes).anamnesis.medications;
    expect([answered(true), answered(false)]).toEqual([[{}], []]);
  });

  test('are asked at once when they were started, and for name, duration and effect at the end', () => {
    const { ids } = walk({ q_med_any: true, q_med_start: 'long_before' }, { start: beforeMedicines });
    expect(ids.slice(0, 2)).toEqual(['q_med_any', 'q_med_start']);
    expect(ids.slice(-4)).toEqual(['q_med_name', 'q_med_duration', 'q_med_improvement', 'q_notes']);
  });

  test('are each asked about', () => {
    const { asked } = walk({}, { start: { ...begun, medications: [{}, {}] } });
    const ids = asked.map(({ questionId }) => questionId);
    expect(ids).toEqual(expect.arrayContaining(['q_med_start[0]', 'q_med_start[1]', 'q_med_name[1]']));
  });
});

describe('skipping', () => {
  test('an optional question is passed over, a required one is asked nevertheless', () => {
    const { skippedQuestions, anamnesis } = walk({}, { start: begun, skips: true }).state;
    expect(skippedQuestions).toContain('q_photo_overview');
    const { complaint, ...others } = anamnesis as PartialAnamnesis;
    const { category: _gone, ...rest } = complaint ?? {};
    expect(nextQuestion({ ...others, complaint: rest }, [...skippedQuestions, 'q_category'])).toMatchObject({
      questionId: 'q_category',
      required: true,
      skippable: false,
    });
  });

  test('names of questions that do not exist change nothing', () => {
    expect(nextQuestion(begun, ['q_made_up', 'q_side[99]'])).toEqual(nextQuestion(begun, []));
  });

  test('never passes over a safety question that offers "not sure"', () => {
    const spots = {
      q_age: 5,
      q_category: 'rash',
      q_types: ['macule'],
      q_colors: ['red'],
      q_location: ['leg'],
    };
    const willing = walk(spots).asked.filter(({ safety, required }) => safety === true && required === true);
    const skipping = new Set(walk(spots, { skips: true }).asked.map(({ questionId }) => questionId));
    expect(willing.length).toBeGreaterThan(3);
    expect(willing.filter(({ questionId }) => !skipping.has(questionId))).toEqual([]);
  });
});

describe('texts', () => {
  test('are in the language asked for, else of the anamnesis, else English', () => {
    const textOf = (...args: Parameters<typeof nextQuestion>) => nextQuestion(...args).questionText;
    expect(textOf({}, [])).toMatch(/^Are any/);
    expect(textOf({ language: 'he' }, [])).toMatch(/^האם/);
    expect(textOf({ language: 'he' }, [], 'es')).toMatch(/^¿/);
  });

  test('of a language that a machine drafted say so', () => {
    expect(nextQuestion({}, [], 'ar').machineDrafted).toBe(true);
    expect(nextQuestion({}, [], 'en')).not.toHaveProperty('machineDrafted');
  });
});
