import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import { yesAndNo } from '../../../../src/domain/intake/anamnesis/labels.ts';
import { agendaOf } from '../../../../src/domain/intake/questions/agenda.ts';
import { endOfQuestions } from '../../../../src/domain/intake/questions/end-of-questions.ts';
import { guideIntake } from '../../../../src/domain/intake/questions/guide-intake.ts';
import { NextQuestion, NextQuestionReply } from '../../../../src/domain/intake/questions/question.schemas.ts';
import { safetyNeedsOf } from '../../../../src/domain/intake/questions/safety-needs.ts';
import { safetyQuestions } from '../../../../src/domain/intake/questions/safety-questions.ts';
import { flagText } from '../../../../src/domain/intake/red-flags/flag-text.ts';
import { evaluateRedFlags } from '../../../../src/domain/intake/red-flags/evaluate-red-flags.ts';
import { anyPartialAnamnesis } from '../anamnesis/arbitraries.ts';

// An AI service that knows none of our questions.

const notes = { notice: 'For research.', modelVersion: 'foreign-7' };
const pets: NextQuestion = {
  questionId: 'pets',
  questionText: 'Do you have pets?',
  questionType: 'bool',
  fieldName: 'exposures.pets',
  options: ['Yes', 'No'],
  optionValues: [true, false],
  isComplete: false,
  progress: 0.3,
  ...notes,
};
const complete: NextQuestion = { ...endOfQuestions, ...notes };

/** Every safety question of a man with a mark that never changed is answered. */
const settled: PartialAnamnesis = {
  reporter: 'self',
  patient: { ageYears: 40, gender: 'male' },
  medications: [],
  symptoms: { emergency: ['none'], systemic: ['none'], local: ['none'] },
  complaint: { category: 'growth_or_mole', duration: 'more_than_five_years', progression: 'stable' },
  locations: [{ primary: 'trunk_back' }],
  history: { immuneStatus: 'normal' },
  lesion: {
    lesionTypes: ['macule'],
    changes: ['none'],
    border: 'sharp',
    colorPattern: 'uniform',
    surfaceChanges: ['none'],
    elevation: 'flat',
  },
};

const guide = (
  fromAi: NextQuestion,
  anamnesis: PartialAnamnesis,
  skippedQuestions: readonly string[] = [],
  language: 'en' | 'he' = 'en',
) => guideIntake(fromAi, { ...anamnesis, skippedQuestions }, language);

const without = (anamnesis: PartialAnamnesis, section: 'symptoms' | 'history', field: string) => {
  const { [field]: _gone, ...rest } = anamnesis[section] as Record<string, unknown>;
  return { ...anamnesis, [section]: rest } as PartialAnamnesis;
};

test('a choice that has to be made and has no options is refused', () => {
  for (const questionType of ['radio', 'checkbox'] as const) {
    const empty = { ...pets, questionType, options: [], optionValues: [] };
    expect(NextQuestionReply.safeParse(empty).success).toBe(false);
    expect(NextQuestionReply.safeParse({ ...empty, skippable: true }).success).toBe(true);
    // An emergency counts, even if a question is asked beside it.
    expect(NextQuestionReply.safeParse({ ...empty, emergency: ['theirs'] }).success).toBe(true);
  }
});

test.each<[string, Partial<NextQuestion>]>([
  ['a question without words', { questionText: ' ' }],
  ['an option without words', { options: ['Yes', ''] }],
  ['a number between bounds that cross', { questionType: 'number', min: 5, max: 4 }],
  ['a text between bounds that cross', { questionType: 'text', min: 5, max: 4 }],
  ['more choices than there are options', { questionType: 'checkbox', min: 3 }],
  ['no choice at all of several', { questionType: 'checkbox', max: 0 }],
])('%s is refused', (_name, change) => {
  const question = { ...pets, ...change };
  expect(NextQuestionReply.safeParse(pets).success).toBe(true);
  expect(NextQuestionReply.safeParse(question).success).toBe(false);
  expect(NextQuestionReply.safeParse({ ...question, emergency: ['theirs'] }).success).toBe(true);
});

test('a question for yes or no without labels gets ours', () => {
  const { optionValues: _values, ...bare } = { ...pets, options: [] };
  const inHebrew = guide(NextQuestionReply.parse(bare), settled, [], 'he');
  expect(inHebrew).toEqual({
    ...bare,
    options: yesAndNo('he'),
    optionValues: [true, false],
    machineDrafted: true,
  });
});

describe('without open danger', () => {
  test("the AI service's question is passed on unchanged", () => {
    expect(guide(pets, settled)).toBe(pets);
    expect(guide(pets, {})).toBe(pets);
  });

  test('without a list of emergencies that has none, which would end the questions', () => {
    const none = { emergency: [], emergencyDetails: [] };
    expect(guide({ ...pets, ...none }, settled)).toEqual(pets);
    expect(guide({ ...complete, ...none }, settled)).toEqual(complete);
  });

  test('its end is the end when no safety question is open', () => {
    expect(agendaOf(safetyQuestions, settled, []).open).toEqual([]);
    expect(guide(complete, settled)).toBe(complete);
  });
});

describe('a question of the AI service that was asked counts as its end', () => {
  const about = (fieldName: string, change: Partial<NextQuestion> = {}) => ({
    ...pets,
    fieldName,
    ...change,
  });

  test.each([
    ['its answer is there', about('complaint.duration'), settled, []],
    ['its answer in a list is there', about('locations[0].primary'), settled, []],
    ['there are medicines, or none', about('medications'), settled, []],
    ['it was skipped and may be', about('exposures.pets', { skippable: true }), settled, ['pets']],
  ] as const)('where %s', (_name, question, answers, skipped) => {
    expect(guide(question, answers, skipped)).toEqual(complete);
    expect(guide(question, without(answers, 'symptoms', 'emergency'), skipped)).toMatchObject({
      questionId: 'q_safety',
      ...notes,
    });
  });

  test.each([
    ['its answer is not there', about('complaint.course'), []],
    ['another item of the list is asked about', about('locations[1].primary'), []],
    ['a photo is to be added', about('images', { questionType: 'camera' }), []],
    ['regions are to be added', about('locations[].primary'), []],
    ['the place has only the name of something inherited', about('complaint.constructor'), []],
    ['it was skipped and must be answered now', about('exposures.pets'), ['pets']],
  ] as const)('but not where %s', (_name, question, skipped) => {
    const answers = { ...settled, images: [{ url: '/api/common/images/x' }] };
    expect(guide(question, answers, skipped)).toBe(question);
  });
});

describe('when the AI service has no more questions', () => {
  test.each([
    ['systemic', 'symptoms', 'q_systemic'],
    ['emergency', 'symptoms', 'q_safety'],
    ['immuneStatus', 'history', 'q_immune'],
  ] as const)('the safety question about %s is asked first', (field, section, questionId) => {
    const question = guide(complete, without(settled, section, field));
    expect(question).toMatchObject({ questionId, isComplete: false, required: true, ...notes });
    expect(NextQuestionReply.safeParse(question).success).toBe(true);
    expect(question.progress).toBeLessThan(1);
  });

  test('the open safety question comes also in place of an end that names it', () => {
    const ofSafety = { questionId: 'q_safety', fieldName: 'symptoms.emergency' };
    const question = guide({ ...complete, ...ofSafety }, {});
    expect(question).toMatchObject({ ...ofSafety, isComplete: false, required: true, ...notes });
    expect(question.optionValues).toContain('difficulty_breathing');
  });

  test('a required one although it was skipped, an optional one not again', () => {
    const noFever = without(settled, 'symptoms', 'systemic');
    expect(guide(complete, noFever, ['q_systemic']).questionId).toBe('q_systemic');
    const febrile: PartialAnamnesis = {
      ...settled,
      reporter: 'parent_guardian',
      patient: { ageYears: 0, ageMonths: 9, gender: 'male' },
      symptoms: { ...settled.symptoms, systemic: ['fever'] },
    };
    const first = guide(complete, febrile);
    expect(first).toMatchObject({ questionId: 'q_temperature', skippable: true });
    expect(guide(complete, febrile, ['q_temperature']).questionId).not.toBe('q_temperature');
  });

  test('in the language of the request', () => {
    expect(guide(complete, {}, [], 'he')).toMatchObject({
      questionText: expect.stringMatching(/^האם/),
      machineDrafted: true,
    });
  });
});

describe('while a danger cannot be excluded', () => {
  /** Purple spots of a child; since when is not known. */
  const spots: PartialAnamnesis = {
    symptoms: { emergency: ['none'], systemic: ['none'] },
    patient: { ageYears: 5 },
    lesion: { lesionTypes: ['purpura'] },
  };

  const [needed = ''] = safetyNeedsOf(spots).steering;

  test("our question comes before the AI service's, with its notes and no step back in progress", () => {
    const question = guide({ ...pets, progress: 0.8 }, spots);
    expect(question).toMatchObject({ fieldName: needed, required: true, safety: true, ...notes });
    expect(question.progress).toBeGreaterThanOrEqual(0.8);
    expect(question.options).not.toEqual(pets.options);
  });

  test('an AI service that asks for the same answer keeps its own words', () => {
    const own = { ...pets, fieldName: needed, questionText: 'In their words?' };
    expect(guide(own, spots)).toBe(own);
  });

  test('and after the answer the AI service continues', () => {
    const { fieldName } = guide(pets, spots);
    expect(fieldName).toBe(needed);
    const older: PartialAnamnesis = {
      ...spots,
      complaint: { progression: 'stable', duration: 'more_than_one_year' },
      symptoms: { ...spots.symptoms, local: ['none'] },
    };
    expect(guide(pets, older)).toBe(pets);
  });
});

describe('an emergency', () => {
  const choking: PartialAnamnesis = { symptoms: { emergency: ['tongue_swelling'] } };
  const detail = { code: 'their_emergency', text: 'Theirs.', urgency: 'emergency' as const };

  test('of our rules ends the questions, regardless of the AI service', () => {
    expect(guide(pets, choking)).toMatchObject({
      isComplete: true,
      questionId: '',
      emergency: ['airway_or_breathing'],
      emergencyDetails: [{ code: 'airway_or_breathing', urgency: 'emergency', certainty: 'met' }],
      ...notes,
    });
  });

  test('of the AI service ends them as well, in its own words', () => {
    const theirs = { ...complete, emergency: ['their_emergency'], emergencyDetails: [detail] };
    expect(guide(theirs, {})).toEqual(theirs);
  });

  test('of the AI service ends them also beside a question', () => {
    const theirs = {
      ...pets,
      required: true,
      help: 'All of them.',
      emergency: ['their_emergency'],
      emergencyDetails: [detail],
      machineDrafted: true,
    };
    expect(guide(theirs, {})).toEqual({
      ...complete,
      emergency: ['their_emergency'],
      emergencyDetails: [detail],
      machineDrafted: true,
    });
    const { emergencyDetails: _absent, ...withoutDetails } = theirs;
    expect(guide(withoutDetails, {})).toMatchObject({ isComplete: true, emergency: ['their_emergency'] });
    const { emergency: _unnamed, ...inDetailsOnly } = theirs;
    expect(guide(inDetailsOnly, {})).toMatchObject({
      isComplete: true,
      emergency: ['their_emergency'],
      emergencyDetails: [detail],
    });
    const many = Array.from({ length: 100 }, (_, index) => `theirs_${index}`);
    expect(NextQuestion.parse(guide({ ...complete, emergency: many }, choking)).emergency).toHaveLength(101);
  });

  test('what is less urgent beside an emergency is there in words as well', () => {
    const lesser = { ...detail, code: 'their_other', urgency: 'high' as const };
    const theirs = { ...complete, emergency: ['their_emergency'], emergencyDetails: [lesser, detail] };
    expect(guide(theirs, {})).toMatchObject({
      emergency: ['their_emergency'],
      emergencyDetails: [detail, lesser],
    });
  });

  test('an emergency of the AI service without words gets ours', () => {
    const emergency = ['possible_sepsis', 'their_emergency'];
    const blank = emergency.map((code) => ({ code, text: ' ', urgency: 'emergency' as const }));
    const bare = { ...complete, emergency };
    expect(guide({ ...bare, emergencyDetails: blank }, {}, [], 'he')).toEqual(guide(bare, {}, [], 'he'));
    expect(guide(bare, {}, [], 'he')).toMatchObject({
      emergency: ['possible_sepsis', 'their_emergency'],
      emergencyDetails: [
        { code: 'possible_sepsis', text: flagText('possible_sepsis', 'he'), urgency: 'emergency' },
        { code: 'their_emergency', text: flagText('urgent_by_ai', 'he'), urgency: 'emergency' },
      ],
      machineDrafted: true,
    });
  });

  test('an emergency that its own words call less urgent stays one', () => {
    const mild = { ...detail, urgency: 'low' as const };
    const theirs = { ...complete, emergency: ['their_emergency'], emergencyDetails: [mild] };
    expect(guide(theirs, {})).toMatchObject({ emergencyDetails: [detail] });
  });

  test('of both names each flag once, ours first', () => {
    const theirs: NextQuestion = {
      ...complete,
      emergency: ['their_emergency', 'airway_or_breathing'],
      emergencyDetails: [detail, { ...detail, code: 'airway_or_breathing' }],
    };
    const { emergency, emergencyDetails } = guide(theirs, choking);
    expect(emergency).toEqual(['airway_or_breathing', 'their_emergency']);
    expect(emergencyDetails?.map(({ code, text }) => [code, text === 'Theirs.'])).toEqual([
      ['airway_or_breathing', false],
      ['their_emergency', true],
    ]);
  });
});

test('for any answers: an emergency ends the questions, and no end comes while a danger is open', () => {
  const seen = { ended: 0, steered: 0, kept: 0 };
  fc.assert(
    fc.property(anyPartialAnamnesis, fc.boolean(), (answers, isEnd) => {
      const { symptoms, ...others } = answers as PartialAnamnesis;
      const { emergency: _screen, ...signs } = symptoms ?? {};
      const anamnesis: PartialAnamnesis = { ...others, symptoms: { ...signs, emergency: ['none'] } };
      const question = guide(isEnd ? complete : pets, anamnesis);
      const { urgency } = evaluateRedFlags(anamnesis);
      expect(NextQuestionReply.safeParse(question)).toMatchObject({ success: true });
      expect(question).toMatchObject(notes);
      if (urgency === 'emergency') {
        seen.ended += 1;
        expect(question.emergency?.length).toBeGreaterThan(0);
        return;
      }
      expect(question.emergency).toBeUndefined();
      const { open } = agendaOf(safetyQuestions, anamnesis, []);
      if (open[0]?.steering !== undefined || (isEnd && open.length > 0)) {
        seen.steered += 1;
        expect(question.questionId).toBe(open[0]?.questionId);
      } else {
        seen.kept += 1;
        expect(question).toBe(isEnd ? complete : pets);
      }
    }),
    { numRuns: 500 },
  );
  expect(Math.min(seen.ended, seen.steered, seen.kept)).toBeGreaterThan(10);
});
