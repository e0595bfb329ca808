import { describe, expect, test } from 'vitest';
import { nextQuestion } from '../../../../dev/ai-service/questions/next-question.ts';
import { applyAnswer } from '../../../../dev/client/src/apply-answer.ts';
import type { PartialAnamnesis } from '../../../../src/domain/anamnesis/anamnesis.ts';
import { flagText } from '../../../../src/domain/red-flags/flag-text.ts';
import { anyAnswer, diceFrom } from '../../intake/random-patient.ts';

const photo = '/api/common/images/0198a0b0-0000-7000-8000-000000000001';

/** Everything before the location. */
const begun: PartialAnamnesis = {
  symptoms: { emergency: ['none'] },
  images: [{ url: photo }, { url: photo }],
  complaint: { category: 'rash' },
};

/** All that is asked before the medicines of someone with a nail problem for a year. */
const beforeMedicines: PartialAnamnesis = {
  ...begun,
  complaint: { category: 'nail_problem', duration: 'more_than_one_year', progression: 'stable' },
  locations: [{ primary: 'nails', secondary: 'toenail', side: 'left' }],
  symptoms: { emergency: ['none'], local: ['none'], systemic: ['none'] },
  lesion: { textures: [], colors: ['yellow'], surfaceChanges: ['none'], nailChanges: ['thickening'] },
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

test('an emergency ends the questionnaire at once and says why', () => {
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
      { code: 'airway_or_breathing', text: flagText('airway_or_breathing', 'es'), urgency: 'emergency' },
    ],
    machineDrafted: true,
  });
});

test('a flag that is no emergency does not end it', () => {
  const selfHarm: PartialAnamnesis = { ...begun, complaint: { impact: 'thoughts_of_self_harm' } };
  expect(nextQuestion(selfHarm, []).isComplete).toBe(false);
});

describe('locations', () => {
  test('one item per chosen region, then one question about each, then one about each side', () => {
    const regions = nextQuestion(begun, []);
    expect(regions).toMatchObject({
      questionId: 'q_location',
      fieldName: 'locations[].primary',
      min: 1,
      max: 14,
    });
    let state = applyAnswer({ anamnesis: begun, skippedQuestions: [] }, regions, ['arm', 'mouth']);
    const detail = nextQuestion(state.anamnesis, []);
    expect(detail).toMatchObject({
      questionId: 'q_location_detail[0]',
      fieldName: 'locations[0].secondary',
      questionText: 'Where exactly? – Arm',
      optionValues: ['shoulder', 'upper_arm', 'elbow', 'elbow_crease', 'forearm', 'wrist'],
    });
    state = applyAnswer(state, detail, ['elbow', 'wrist']);
    const inMouth = nextQuestion(state.anamnesis, []);
    expect(inMouth).toMatchObject({ questionId: 'q_location_detail[1]', max: 5 });
    state = applyAnswer(state, inMouth, ['tongue']);
    expect(state.anamnesis.locations).toEqual([
      { primary: 'arm', secondary: 'elbow' },
      { primary: 'mouth', secondary: 'tongue' },
      { primary: 'arm', secondary: 'wrist' },
    ]);
    const side = nextQuestion(state.anamnesis, []);
    expect(side).toMatchObject({
      questionId: 'q_side[0]',
      fieldName: 'locations[0].side',
      questionText: 'Which side? – Elbow',
      help: 'The patient’s own left or right, not the left or right of the photo.',
    });
    state = applyAnswer(state, side, 'left');
    expect(nextQuestion(state.anamnesis, []).questionId).toBe('q_side[2]');
  });

  test('never more than twenty', () => {
    const locations = Array.from({ length: 18 }, (_, index) => ({
      primary: 'leg' as const,
      ...(index > 0 && { secondary: 'shin' as const }),
    }));
    expect(nextQuestion({ ...begun, locations }, [])).toMatchObject({
      questionId: 'q_location_detail[0]',
      min: 1,
      max: 3,
    });
  });

  test('an item without a region is asked for it, and only regions that have its exact place are offered', () => {
    const locations: PartialAnamnesis['locations'] = [{ primary: 'leg' }, { secondary: 'ear' }];
    expect(nextQuestion({ ...begun, locations }, [])).toMatchObject({
      questionId: 'q_location[1]',
      fieldName: 'locations[1].primary',
      optionValues: ['head_neck'],
    });
  });

  test('a place that was left open is not asked again', () => {
    const anamnesis: PartialAnamnesis = { ...begun, locations: [{ primary: 'arm' }] };
    const detail = nextQuestion(anamnesis, []);
    const skipped = applyAnswer({ anamnesis, skippedQuestions: [] }, detail, []);
    expect(skipped).toEqual({ anamnesis, skippedQuestions: ['q_location_detail[0]'] });
    expect(nextQuestion(anamnesis, skipped.skippedQuestions).questionId).toBe('q_side[0]');
  });
});

describe('medicines', () => {
  const asked = (medications: PartialAnamnesis['medications']) =>
    nextQuestion({ ...beforeMedicines, ...(medications !== undefined && { medications }) }, []);

  test('are asked for once; yes opens one, no opens none', () => {
    const question = asked(undefined);
    expect(question).toMatchObject({
      questionId: 'q_med_any',
      fieldName: 'medications',
      options: ['Yes', 'No'],
      optionValues: [true, false],
    });
    const answered = (yes: boolean) =>
      applyAnswer({ anamnesis: beforeMedicines, skippedQuestions: [] }, question, yes).anamnesis.medications;
    expect([answered(true), answered(false)]).toEqual([[{}], []]);
    expect(asked([{}]).questionId).toBe('q_med_name[0]');
    expect(asked([]).questionId).toBe('q_skin_history');
  });

  test('are named in the questions about them, isolated from the sentence', () => {
    expect(asked([{ name: 'ibu\u202Eprofen' }]).questionText).toBe(
      'What do you take it for? – \u2068ibu profen\u2069',
    );
  });

  test('for this skin problem have an effect to tell, so that "not applicable" is not offered', () => {
    const taken = { name: 'x', duration: 'single_dose' } as const;
    const offered = (purpose: 'this_skin_problem' | 'other_condition') =>
      asked([{ ...taken, purpose }]).optionValues;
    expect(offered('this_skin_problem')).not.toContain('not_applicable');
    expect(offered('other_condition')).toContain('not_applicable');
    expect(asked([{ ...taken, improvement: 'not_applicable' }])).toMatchObject({
      questionId: 'q_med_purpose[0]',
      optionValues: ['other_condition'],
    });
  });

  test('are each asked about', () => {
    const done = {
      name: 'x',
      purpose: 'other_condition',
      duration: 'single_dose',
      improvement: 'no_change',
      startedRelative: 'unknown',
    } as const;
    expect(asked([done, { name: 'y' }]).questionId).toBe('q_med_purpose[1]');
    expect(asked([done, done]).questionId).toBe('q_skin_history');
  });
});

describe('answers are offered only where they fit the others', () => {
  const about = (patient: PartialAnamnesis['patient'], questionId: string) => {
    const anamnesis: PartialAnamnesis = {
      ...beforeMedicines,
      medications: [],
      history: { skinConditions: ['none'], medicalConditions: ['none'], immuneStatus: 'normal' },
      patient,
    };
    const question = nextQuestion(anamnesis, []);
    expect(question.questionId).toBe(questionId);
    return question;
  };

  test('a pregnant patient is between 10 and 60', () => {
    expect(about({ pregnancyStatus: 'pregnant' }, 'q_age')).toMatchObject({ min: 10, max: 60 });
    expect(about({}, 'q_age')).toMatchObject({ min: 0, max: 120, step: 1, unit: 'years' });
  });

  test('and not male', () => {
    const gender = about({ pregnancyStatus: 'pregnant', ageYears: 30 }, 'q_gender');
    expect(gender.optionValues).toEqual(['female', 'other', 'prefer_not_to_say', 'unknown']);
  });

  test('an age group is age enough', () => {
    about({ ageGroup: 'age_30_to_39' }, 'q_gender');
    about({ ageGroup: 'unknown' }, 'q_gender');
  });

  test('a size in millimetres decides the size', () => {
    const anamnesis: PartialAnamnesis = {
      ...beforeMedicines,
      complaint: { ...beforeMedicines.complaint, category: 'wound_or_bite' },
      lesion: { ...beforeMedicines.lesion, lesionTypes: ['ulcer'], sizeMm: 6.5 },
    };
    expect(nextQuestion(anamnesis, [])).toMatchObject({
      questionId: 'q_size',
      optionValues: ['from_2_to_6_mm'],
      options: ['From 2 to 6 mm'],
    });
  });
});

describe('skipping', () => {
  test('an optional question is passed over, a required one is asked nevertheless', () => {
    const anamnesis: PartialAnamnesis = { symptoms: { emergency: ['none'] }, images: [{ url: photo }] };
    expect(nextQuestion(anamnesis, [])).toMatchObject({ questionId: 'q_photo_overview', skippable: true });
    expect(nextQuestion(anamnesis, ['q_photo_overview']).questionId).toBe('q_category');
    expect(nextQuestion(anamnesis, ['q_photo_overview', 'q_category'])).toMatchObject({
      questionId: 'q_category',
      required: true,
      skippable: false,
    });
  });

  test('names of questions that do not exist change nothing', () => {
    expect(nextQuestion(begun, ['q_made_up', 'q_side[99]'])).toEqual(nextQuestion(begun, []));
  });

  test('after 35 questions only what is required or read by red flags is asked', () => {
    const walk = (seed: number) => {
      const dice = diceFrom(seed);
      let state = {
        anamnesis: {
          symptoms: { emergency: ['none'] },
          complaint: { category: 'growth_or_mole', duration: 'one_to_four_weeks' },
        } as PartialAnamnesis,
        skippedQuestions: [] as readonly string[],
      };
      const late: string[] = [];
      for (let count = 3; ; count++) {
        const question = nextQuestion(state.anamnesis, state.skippedQuestions);
        if (question.isComplete) return late;
        if (count >= 35) late.push(question.questionId);
        state = applyAnswer(state, question, anyAnswer(question, dice, { skips: false }));
      }
    };
    const late = new Set(Array.from({ length: 200 }, (_, seed) => walk(seed)).flat());
    const cut = [
      'q_sun',
      'q_symmetry',
      'q_border',
      'q_different',
      'q_medical',
      'q_family',
      'q_sun_reaction',
      'q_notes',
    ];
    expect(cut.filter((id) => late.has(id))).toEqual([]);
    expect([...late]).toEqual(
      expect.arrayContaining(['q_immune', 'q_age', 'q_skin_history', 'q_med_start[0]']),
    );
  });
});

test('many exact places that one question gave count as one question', () => {
  const scalp = { primary: 'head_neck', secondary: 'scalp' } as const;
  const anamnesis: PartialAnamnesis = {
    ...beforeMedicines,
    locations: Array.from({ length: 20 }, () => scalp),
    medications: [],
    history: { skinConditions: ['none'] },
  };
  expect(nextQuestion(anamnesis, []).questionId).toBe('q_medical');
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

  test('isolate numbers and units in right-to-left languages', () => {
    const anamnesis: PartialAnamnesis = {
      ...begun,
      complaint: { category: 'growth_or_mole', duration: 'unknown', progression: 'stable' },
      locations: [{ primary: 'other', secondary: 'other_site' }],
      symptoms: { emergency: ['none'], local: ['itching'], systemic: ['none'] },
    };
    expect(nextQuestion(anamnesis, [], 'he').questionText).toContain('\u206810\u2069');
    expect(nextQuestion(anamnesis, [], 'en').questionText).not.toMatch(/[\u2066-\u2069]/);
  });
});
