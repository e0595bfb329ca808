import { describe, expect, test } from 'vitest';
import { flow, questionnaire } from '../../questions/flow.ts';
import { Language } from '../../../../../src/contract/language.ts';
import { safetyQuestions } from '../../../../../src/domain/intake/questions/safety-questions.ts';
import { walk } from '../../../../tools/intake/guided-patient.ts';

test('holds every safety question, in the order in which the gateway asks them', () => {
  const safety = new Set(safetyQuestions);
  expect(flow.filter((question) => safety.has(question))).toEqual(safetyQuestions);
});

test('a question has the same type, field and answers wherever it stands', () => {
  for (const rows of Map.groupBy(flow, ({ id }) => id).values()) {
    const meanings = rows.map(({ type, field, options, range }) =>
      JSON.stringify([type, field, options?.meta()?.id, range]),
    );
    expect(new Set(meanings).size, rows[0]?.id).toBe(1);
  }
});

test('every question has words of its own in every language', () => {
  for (const language of Language.options) {
    for (const { id } of flow) {
      const { text } = questionnaire.textOf(id, language);
      expect(text, `${id} in ${language}`).toMatch(/\s/);
    }
  }
});

const man = { q_age: 34, q_gender: 'male' } as const;
const itch = {
  ...man,
  q_category: 'rash',
  q_types: ['papule'],
  q_location: ['arm'],
  q_duration: 'one_to_four_weeks',
  q_symptoms: ['itching'],
};
const mole = {
  ...man,
  q_age: 50,
  q_category: 'growth_or_mole',
  q_types: ['macule'],
  q_location: ['trunk_back'],
  q_duration: 'more_than_one_year',
};
const acne = {
  ...man,
  q_age: 17,
  q_category: 'acne',
  q_types: ['comedo', 'pustule'],
  q_location: ['head_neck'],
  q_duration: 'three_to_twelve_months',
};

describe('asked only where it matters', () => {
  const asked = (answers: Parameters<typeof walk>[0], id: string) => walk(answers).ids.includes(id);
  type Case = [id: string, askedOf: Parameters<typeof walk>[0], notAskedOf: Parameters<typeof walk>[0]];
  const cases: Case[] = [
    // Contacts only where contagion is thinkable.
    ['q_contacts', { ...itch, q_location: ['hand'], q_timing: 'worse_at_night' }, itch],
    ['q_contacts', { ...itch, q_surface: ['golden_crust'] }, { ...itch, q_surface: ['scaly'] }],
    ['q_contacts', { ...itch, q_types: ['burrow'] }, mole],
    ['q_contacts', { ...itch, q_types: ['burrow'] }, acne],
    // Where scabies is looked for.
    ['q_timing', { ...itch, q_location: ['hand'] }, itch],
    ['q_timing', { ...itch, q_location: ['hand'] }, { ...itch, q_location: ['hand'], q_symptoms: ['pain'] }],
    ['q_itch', { ...itch, q_duration: 'more_than_one_year' }, itch],
    ['q_size', mole, itch],
    ['q_changes', mole, itch],
    ['q_family', mole, itch],
    ['q_family', { ...itch, q_surface: ['silvery_scale'] }, { ...itch, q_surface: ['scaly'] }],
    ['q_hair', { ...man, q_category: 'hair_loss', q_location: ['head_neck'] }, itch],
    ['q_nails', { ...man, q_category: 'nail_problem', q_location: ['nails'] }, itch],
    ['q_types', itch, { ...man, q_category: 'hair_loss', q_location: ['head_neck'] }],
    ['q_triggers', { ...itch, q_types: ['wheal'] }, itch],
    ['q_exposures', itch, mole],
    ['q_distribution', { ...itch, q_location: ['arm', 'leg'] }, itch],
    ['q_location_detail', itch, { ...itch, q_location: ['arm', 'leg'] }],
    ['q_impact', acne, mole],
    ['q_impact', { ...itch, q_duration: 'more_than_one_year' }, itch],
    ['q_skin_history', itch, mole],
    ['q_medical', { ...itch, q_age: 60 }, itch],
    ['q_temperature', { ...itch, q_systemic: ['fever'] }, itch],
    ['q_temperature', { ...itch, q_systemic: ['chills'] }, acne],
    ['q_pain', { ...itch, q_symptoms: ['pain'] }, itch],
    ['q_med_name', { ...itch, q_med_any: true }, itch],
    ['q_med_start', { ...itch, q_med_any: true }, itch],
    [
      'q_discharge',
      {
        ...man,
        q_category: 'wound_or_bite',
        q_symptoms: ['pain'],
        q_duration: 'less_than_one_week',
        q_exposures: ['animal_bite'],
      },
      mole,
    ],
    ['q_warmth', { ...itch, q_symptoms: ['pain'], q_pain: 5, q_duration: 'less_than_one_week' }, acne],
    ['q_eyes', { ...itch, q_systemic: ['fever'], q_location: ['head_neck'] }, acne],
    [
      'q_pregnancy_weeks',
      { ...itch, q_gender: 'female', q_pregnant: 'pregnant' },
      { ...itch, q_gender: 'female', q_pregnant: 'not_pregnant' },
    ],
  ];

  test.each(cases)('%s of %j and not of %j', (id, askedOf, notAskedOf) => {
    expect([asked(askedOf, id), asked(notAskedOf, id)]).toEqual([true, false]);
  });

  test.each([
    ['a rash', itch],
    ['a mole', mole],
    ['acne', acne],
  ])('of everyone, and of %s too: allergies, then a note in own words as the last', (_, answers) => {
    for (const skips of [false, true]) {
      const { ids } = walk(answers, { skips });
      expect(ids).toContain('q_allergies');
      expect(ids.at(-1)).toBe('q_notes');
    }
  });
});

describe('short, and without asking the same in other words', () => {
  test.each([
    ['an itching rash', itch],
    [
      'a mole that has not changed',
      { ...mole, q_changes: ['none'], q_border: 'sharp', q_color_pattern: 'uniform' },
    ],
    ['acne', acne],
    [
      'hair loss',
      { ...man, q_category: 'hair_loss', q_location: ['head_neck'], q_duration: 'one_to_three_months' },
    ],
    [
      'a nail problem',
      { ...man, q_category: 'nail_problem', q_location: ['nails'], q_duration: 'more_than_one_year' },
    ],
  ])('%s takes at most 25 questions', (_, answers) => {
    expect(walk(answers).ids.length).toBeLessThanOrEqual(25);
  });

  test('whether a mole is flat is asked at most once', () => {
    const flat = (ids: string[]) => ids.filter((id) => id === 'q_elevation' || id === 'q_textures').length;
    expect(flat(walk(mole).ids)).toBeLessThanOrEqual(1);
    expect(flat(walk({ ...mole, q_changes: ['size'] }).ids)).toBeLessThanOrEqual(1);
  });

  test('the photos come when nothing more urgent is to be asked', () => {
    const { asked } = walk({ ...itch, q_systemic: ['fever'] });
    const photo = asked.findIndex(({ questionId }) => questionId === 'q_photo_close');
    const before = new Set(asked.slice(0, photo).map(({ questionId }) => questionId));
    for (const id of ['q_immune', 'q_types', 'q_surface', 'q_mucosa', 'q_progression'])
      expect(before).toContain(id);
  });
});

describe('a danger is found early', () => {
  const rash = { q_category: 'rash', q_duration: 'one_day', q_location: ['leg'] };

  test.each([
    ['any sign of the safety screen', { q_safety: ['stiff_neck'] }, 1, 'emergency_symptom'],
    ['fever of a baby', { q_age: 0, q_age_months: 2, q_systemic: ['fever'] }, 5, 'infant_fever_or_blisters'],
    [
      'purple spots of a child with fever, the glass not tried',
      { ...rash, q_age: 5, q_systemic: ['fever'], q_types: ['purpura'], q_blanching: 'not_tested' },
      8,
      'non_blanching_rash_unwell',
    ],
    [
      'a new medicine with a sore mouth',
      {
        ...rash,
        ...man,
        q_med_any: true,
        q_med_start: 'before_problem_3_to_28_days',
        q_mucosa: ['mouth'],
        q_symptoms: ['pain'],
      },
      8,
      'possible_sjs_ten',
    ],
    [
      'fever under chemotherapy',
      { ...rash, ...man, q_systemic: ['fever'], q_immune: 'chemotherapy' },
      8,
      'immunosuppressed_and_unwell',
    ],
  ])('%s', (_, answers, atMost, flag) => {
    const { ids, end } = walk(answers, { skips: true });
    expect(end.emergency).toContain(flag);
    expect(ids.length).toBeLessThanOrEqual(atMost);
  });
});
