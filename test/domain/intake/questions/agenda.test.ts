import { describe, expect, test } from 'vitest';
import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import { agendaOf } from '../../../../src/domain/intake/questions/agenda.ts';
import { safetyNeedsOf } from '../../../../src/domain/intake/questions/safety-needs.ts';
import { safetyQuestions } from '../../../../src/domain/intake/questions/safety-questions.ts';

const open = (anamnesis: PartialAnamnesis, skipped: readonly string[] = []) =>
  agendaOf(safetyQuestions, anamnesis, skipped).open;
const ids = (anamnesis: PartialAnamnesis, skipped: readonly string[] = []) =>
  open(anamnesis, skipped).map(({ questionId }) => questionId);

/** A woman without fever and medicines, before anything about her skin. */
const screened: PartialAnamnesis = {
  symptoms: { emergency: ['none'], systemic: ['none'] },
  patient: { ageYears: 40, gender: 'female', pregnancyStatus: 'not_pregnant' },
  medications: [],
};

describe('the order of danger', () => {
  test('safety screen, age, pregnancy where possible, fever, new medicine, place, complaint', () => {
    const asked: string[] = [];
    const answers: PartialAnamnesis[] = [
      {},
      { symptoms: { emergency: ['none'] } },
      { symptoms: { emergency: ['none'] }, patient: { ageYears: 40 } },
      { symptoms: { emergency: ['none'] }, patient: { ageYears: 40, gender: 'female' } },
      {
        symptoms: { emergency: ['none'] },
        patient: { ageYears: 40, gender: 'female', pregnancyStatus: 'not_pregnant' },
      },
      { ...screened, medications: undefined } as unknown as PartialAnamnesis,
      { ...screened, medications: [{}] },
      screened,
    ];
    for (const anamnesis of answers) asked.push(ids(anamnesis)[0] ?? 'none');
    expect(asked).toEqual([
      'q_safety',
      'q_age',
      'q_gender',
      'q_pregnant',
      'q_systemic',
      'q_med_any',
      'q_med_start[0]',
      'q_location',
    ]);
  });

  test('of a child who answers, of a baby how many months old it is', () => {
    const child = (ageYears: number) =>
      ids({ symptoms: { emergency: ['none'] }, patient: { ageYears } }).slice(0, 3);
    expect(child(0)).toEqual(['q_age_months', 'q_reporter', 'q_systemic']);
    expect(child(8)).toEqual(['q_reporter', 'q_systemic', 'q_med_any']);
    expect(child(15)).toEqual(['q_reporter', 'q_gender', 'q_systemic']);
    expect(child(16)).toEqual(['q_gender', 'q_systemic', 'q_med_any']);
  });

  test('a sore nail is asked for an ulcer, and a sore or black one of which limb it is', () => {
    const nail = (local: 'pain' | 'none', colors: 'red' | 'black' = 'red'): PartialAnamnesis => ({
      ...screened,
      symptoms: { ...screened.symptoms, local: [local], painSeverity: 3 },
      complaint: { category: 'nail_problem', duration: 'one_to_four_weeks' },
      locations: [{ primary: 'nails' }],
      lesion: { colors: [colors], swellingSites: ['none'] },
    });
    expect(ids(nail('pain'))).toEqual(expect.arrayContaining(['q_types', 'q_location_detail[0]']));
    expect(ids(nail('none', 'black'))).toContain('q_location_detail[0]');
    expect(ids(nail('none'))).not.toContain('q_types');
    expect(ids(nail('none'))).not.toContain('q_location_detail[0]');
  });

  test('pregnancy is asked from 12 to 55 and where the sex is not male', () => {
    const isAsked = (patient: PartialAnamnesis['patient']) => ids({ patient }).includes('q_pregnant');
    const woman = { gender: 'female', ageYears: 30 } as const;
    expect([
      isAsked(woman),
      isAsked({ ...woman, ageYears: 12 }),
      isAsked({ ...woman, ageYears: 55 }),
      isAsked({ ...woman, gender: 'other' }),
      isAsked({ gender: 'male', sexAtBirth: 'female', ageYears: 30 }),
      isAsked({ gender: 'female', ageGroup: 'age_50_to_59' }),
    ]).toEqual([true, true, true, true, true, true]);
    // A person who does not state a gender can be pregnant.
    expect([
      isAsked({ ...woman, gender: 'prefer_not_to_say' }),
      isAsked({ ...woman, gender: 'unknown' }),
    ]).toEqual([true, true]);
    expect([
      isAsked({ ...woman, gender: 'male' }),
      isAsked({ ...woman, ageYears: 11 }),
      isAsked({ ...woman, ageYears: 56 }),
      isAsked({ gender: 'female', ageGroup: 'age_60_to_69' }),
      isAsked({}),
    ]).toEqual([false, false, false, false, false]);
    // The anamnesis cannot state a pregnancy where the sex at birth is male.
    const genders = ['prefer_not_to_say', 'unknown', 'other'] as const;
    expect(genders.filter((gender) => isAsked({ gender, sexAtBirth: 'male', ageYears: 30 }))).toEqual([]);
  });

  test('a new medicine before a recent rash is asked for by name, and by class where the name is not known', () => {
    type Medicine = NonNullable<PartialAnamnesis['medications']>[number];
    const asked = (medicine: Medicine) => {
      const startedRelative = 'before_problem_3_to_28_days';
      const rash: PartialAnamnesis = {
        ...screened,
        patient: { ageYears: 40, gender: 'male' },
        complaint: { category: 'rash', duration: 'less_than_one_week' },
        lesion: { lesionTypes: ['macule'], distribution: 'localized' },
        medications: [{ startedRelative, ...medicine }],
      };
      return ids(rash).filter((id) => /^q_med_(name|class)/.test(id));
    };
    expect(asked({})).toEqual(['q_med_name[0]']);
    expect(asked({ name: 'Mysterin' })).toEqual(['q_med_class[0]']);
    expect(asked({ name: 'Mysterin', startedRelative: 'unknown' })).toEqual(['q_med_class[0]']);
    expect(asked({ name: 'Mysterin', drugClass: 'antihistamine' })).toEqual([]);
    expect(asked({ name: 'Lamictal' })).toEqual([]);
    expect(asked({ name: 'Mysterin', startedRelative: 'long_before' })).toEqual([]);
    expect(asked({ name: 'Mysterin', startedRelative: 'unknown', duration: 'more_than_six_months' })).toEqual(
      [],
    );
    expect(asked({ name: 'Mysterin', route: 'topical' })).toEqual([]);
  });

  test('a fever brings the immune system and what the skin looks like before all about the complaint', () => {
    const febrile: PartialAnamnesis = { ...screened, symptoms: { emergency: ['none'], systemic: ['fever'] } };
    expect(ids(febrile).slice(0, 3)).toEqual(['q_immune', 'q_types', 'q_blanching']);
    expect(ids(screened)).toContain('q_immune');
    expect(ids(screened).indexOf('q_immune')).toBeGreaterThan(ids(screened).indexOf('q_types'));
  });

  test('the temperature of a febrile baby is asked at once, of anyone else later', () => {
    const febrile = (patient: PartialAnamnesis['patient']): PartialAnamnesis => ({
      patient,
      symptoms: { emergency: ['none'], systemic: ['fever'] },
      reporter: 'parent_guardian',
    });
    expect(ids(febrile({ ageYears: 0, ageMonths: 9 }))[0]).toBe('q_temperature');
    const child = ids(febrile({ ageYears: 4 }));
    expect(child.indexOf('q_temperature')).toBeGreaterThan(child.indexOf('q_types'));
    expect(
      open(febrile({ ageYears: 4 })).find(({ questionId }) => questionId === 'q_temperature'),
    ).toMatchObject({
      isRequired: false,
    });
    expect(ids({ ...screened, patient: { ageYears: 0, ageMonths: 9 } })).not.toContain('q_temperature');
  });
});

describe('questions that could exclude an emergency come first', () => {
  /** Purple spots of a child without fever; since when, and whether they spread, is not known. */
  const purple: PartialAnamnesis = {
    symptoms: { emergency: ['none'], systemic: ['none'], local: ['none'] },
    patient: { ageYears: 5 },
    medications: [],
    locations: [{ primary: 'leg' }],
    lesion: { lesionTypes: ['purpura'] },
  };

  test('the open answer of an emergency rule is next, required and marked', () => {
    const [first] = open({ ...purple, medications: [], complaint: { category: 'rash' } });
    expect(safetyNeedsOf(purple).steering.length).toBeGreaterThan(0);
    expect(first).toMatchObject({
      fieldName: safetyNeedsOf(purple).steering[0],
      isRequired: true,
      steering: 0,
    });
  });

  test('also when it was skipped, and although questions before it in the list are open', () => {
    const anamnesis: PartialAnamnesis = { ...purple, symptoms: { emergency: ['none'], systemic: ['none'] } };
    const [first] = open(anamnesis);
    expect(first?.steering).toBe(0);
    const before = safetyQuestions.findIndex(({ id }) => id === 'q_symptoms');
    expect(safetyQuestions.findIndex(({ field }) => field === first?.fieldName)).toBeGreaterThan(before);
    const again = open(anamnesis, [first?.questionId ?? '']);
    expect(again[0]).toMatchObject({ questionId: first?.questionId });
  });

  test('a rule of medium urgency does not steer, one of low urgency asks nothing', () => {
    const pearly: PartialAnamnesis = { lesion: { surfaceChanges: ['shiny_pearly'] } };
    expect(safetyNeedsOf({ ...pearly, complaint: { duration: 'more_than_one_year' } }).steering).toEqual([]);
    const changed: PartialAnamnesis = {
      ...screened,
      complaint: { category: 'growth_or_mole', duration: 'more_than_one_year' },
      lesion: { changes: ['size'] },
    };
    expect(safetyNeedsOf(changed).steering).toEqual([]);
    expect(safetyNeedsOf(changed).open.size).toBeGreaterThan(0);
  });

  test('"not sure" does not end the questions: the next one that can exclude the rule is asked', () => {
    const mole: PartialAnamnesis = {
      ...screened,
      complaint: { category: 'growth_or_mole', duration: 'more_than_one_year' },
      locations: [{ primary: 'trunk_back' }],
      lesion: { lesionTypes: ['macule'], changes: ['none'], border: 'not_sure' },
    };
    expect(ids(mole)).toContain('q_color_pattern');
    const uniform: PartialAnamnesis = { ...mole, lesion: { ...mole.lesion, colorPattern: 'uniform' } };
    expect(ids(uniform)).not.toContain('q_color_pattern');
  });
});

describe('what the rules need next', () => {
  const blistersOfABaby: PartialAnamnesis = { patient: { ageYears: 0 }, lesion: { lesionTypes: ['bulla'] } };
  const sores: PartialAnamnesis = { lesion: { lesionTypes: ['vesicle'], mucosalSites: ['mouth'] } };
  const medicine = { startedRelative: 'long_before', drugClass: 'antibiotic', route: 'oral' } as const;
  const fever: PartialAnamnesis = { symptoms: { systemic: ['fever'] } };
  const blackFoot: PartialAnamnesis = { lesion: { skinTemperature: 'warm', colors: ['black'] } };

  test('the answers that exclude the most urgent rule come first', () => {
    expect(safetyNeedsOf(blistersOfABaby).steering).toEqual([
      'lesion.extent',
      'patient.ageMonths',
      'complaint.duration',
    ]);
  });

  test('what only a high or a medium rule asks for decides about no emergency', () => {
    const { open: needed, emergency } = safetyNeedsOf(blistersOfABaby);
    expect([...emergency].filter((field) => !needed.has(field))).toEqual([]);
    for (const field of ['complaint.duration', 'exposures.recent']) {
      expect([field, needed.has(field), emergency.has(field)]).toEqual([field, true, false]);
    }
    expect(emergency.has('lesion.extent')).toBe(true);
  });

  test('a rule of low urgency asks for nothing', () => {
    const pearly: PartialAnamnesis = { lesion: { surfaceChanges: ['shiny_pearly'] } };
    expect(safetyNeedsOf(pearly).open.has('complaint.duration')).toBe(false);
  });

  test.each<[string, PartialAnamnesis, string, boolean]>([
    ['an age', fever, 'patient.ageYears', true],
    [
      'an age after an unknown band',
      { ...fever, patient: { ageGroup: 'unknown' } },
      'patient.ageYears',
      false,
    ],
    ['a second medicine', { ...sores, medications: [medicine, {}] }, 'medications[].startedRelative', true],
    ['a first medicine', { ...sores, medications: [medicine] }, 'medications[].startedRelative', false],
    ['medicines', sores, 'medications', true],
    ['no medicine', { ...sores, medications: [] }, 'medications', false],
    [
      'a second place',
      { ...blackFoot, locations: [{ secondary: 'fingers' }, { primary: 'foot' }] },
      'locations[].secondary',
      true,
    ],
    [
      'exact places',
      { ...blackFoot, locations: [{ secondary: 'fingers' }, { secondary: 'top_of_foot' }] },
      'locations[].secondary',
      false,
    ],
  ])('%s is asked for until it is given', (_, anamnesis, field, isNeeded) => {
    expect(safetyNeedsOf(anamnesis).open.has(field)).toBe(isNeeded);
  });
});

describe('skipping', () => {
  test('an optional question is skipped, a required one is asked nevertheless', () => {
    const baby: PartialAnamnesis = { symptoms: { emergency: ['none'] }, patient: { ageYears: 0 } };
    expect(ids(baby, ['q_age_months'])[0]).toBe('q_age_months');
    const months: PartialAnamnesis = { ...baby, patient: { ageYears: 0, ageMonths: 5 } };
    expect(ids(months)[0]).toBe('q_reporter');
    expect(ids(months, ['q_reporter', 'q_systemic'])[0]).toBe('q_systemic');
  });

  test('names of questions that do not exist change nothing', () => {
    expect(agendaOf(safetyQuestions, screened, ['q_made_up', 'q_side[99]'])).toEqual(
      agendaOf(safetyQuestions, screened, []),
    );
  });
});

describe('progress', () => {
  const progress = (anamnesis: PartialAnamnesis, skipped: readonly string[] = []) =>
    agendaOf(safetyQuestions, anamnesis, skipped).progress;

  test('begins at 0, rises with every answer and every question left open, and ends at 1', () => {
    expect(progress({})).toBe(0);
    const one = progress({ symptoms: { emergency: ['none'] } });
    expect(one).toBeGreaterThan(0);
    const baby: PartialAnamnesis = { symptoms: { emergency: ['none'] }, patient: { ageYears: 0 } };
    expect(progress(baby)).toBeGreaterThan(one);
    expect(progress(baby, ['q_age_months'])).toBeGreaterThan(progress(baby));
    expect(agendaOf([], {}, [])).toEqual({ open: [], progress: 1 });
  });

  test('does not fall when an answer opens more questions than it settles', () => {
    const none: PartialAnamnesis = { ...screened, locations: [{ primary: 'arm' }] };
    const many: PartialAnamnesis = {
      ...none,
      complaint: { category: 'rash' },
    };
    expect(open(many).length).toBeGreaterThan(0);
    expect(progress(many)).toBeGreaterThan(progress(none));
  });
});
