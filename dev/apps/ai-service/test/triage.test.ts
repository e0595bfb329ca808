import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rankDiseases } from '../diagnosis/rank.ts';
import { triage } from '../triage/triage.ts';
import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import { TriageLevel, TriageReply } from '../../../../src/domain/intake/triage/triage.schemas.ts';
import { evaluateRedFlags } from '../../../../src/domain/intake/red-flags/evaluate-red-flags.ts';
import { flagText } from '../../../../src/domain/intake/red-flags/flag-text.ts';
import { anyPartialAnamnesis } from '../../../../test/domain/intake/anamnesis/arbitraries.ts';
import { type Answers, walk } from '../../../tools/intake/guided-patient.ts';
import { propertyRuns } from '../../../../test/support/property-runs.ts';

const photo = { url: '/api/common/images/0198a0b0-0000-7000-8000-000000000001', quality: { isValid: true } };

/** All that is asked is answered, and every photo was found usable. */
const answered = (answers: Answers): PartialAnamnesis => ({
  ...(walk(answers).state.anamnesis as PartialAnamnesis),
  images: [photo],
});

/** Pimples of a boy. */
const acne = answered({
  q_age: 17,
  q_gender: 'male',
  q_category: 'acne',
  q_duration: 'one_to_three_months',
  q_location: ['head_neck'],
  q_location_detail: ['cheek'],
  q_symptoms: ['none'],
  q_types: ['comedo', 'pustule'],
});

/** A warty brown plaque that has not changed for more than a year. */
const keratosisBase = answered({
  q_age: 66,
  q_gender: 'male',
  q_category: 'growth_or_mole',
  q_duration: 'more_than_one_year',
  q_location: ['trunk_back'],
  q_location_detail: ['upper_back'],
  q_symptoms: ['none'],
  q_types: ['plaque'],
  q_changes: ['none'],
  q_border: 'sharp',
  q_symmetry: 'symmetrical',
  q_color_pattern: 'uniform',
  q_size: 'from_11_to_20_mm',
});
const keratosis: PartialAnamnesis = {
  ...keratosisBase,
  lesion: {
    ...keratosisBase.lesion,
    textures: ['warty', 'rough_or_flaky'],
    colors: ['brown'],
    elevation: 'raised',
  },
};

const codesOf = (anamnesis: PartialAnamnesis) => triage(anamnesis).reasons.map(({ code }) => code);

describe('red flags decide first', () => {
  /** A mole that grew and changed its colour. */
  const changing: PartialAnamnesis = {
    complaint: { category: 'growth_or_mole' },
    lesion: { changes: ['size', 'color'] },
  };

  test('an emergency flag: emergency services, 10 of 10', () => {
    expect(triage({ symptoms: { emergency: ['difficulty_breathing'] } })).toMatchObject({
      priority: 'emergency',
      urgencyScore: 10,
      recommendedAction: 'call_emergency_services',
      reasons: [{ code: 'airway_or_breathing', text: flagText('airway_or_breathing', 'en') }],
      recommendedActionText: 'Call the emergency services now.',
    });
  });

  test('a high flag: the same day, from 8', () => {
    expect(triage({ complaint: { impact: 'thoughts_of_self_harm' } })).toMatchObject({
      priority: 'urgent_24h',
      urgencyScore: 8,
      recommendedAction: 'same_day_medical_review',
    });
  });

  test('a medium flag: within two weeks, from 5', () => {
    expect(triage(changing)).toMatchObject({
      priority: 'soon_2_weeks',
      urgencyScore: 5,
      recommendedAction: 'physician_review_within_2_weeks',
    });
  });

  test('every further flag adds half a point, up to the end of the level', () => {
    const more: PartialAnamnesis = {
      ...changing,
      lesion: { ...changing.lesion, nailChanges: ['widening_dark_streak'] },
    };
    const high: PartialAnamnesis = {
      ...more,
      complaint: { ...more.complaint, impact: 'thoughts_of_self_harm' },
    };
    const scores = [changing, more, high].map((anamnesis) => triage(anamnesis).urgencyScore);
    expect(scores).toEqual([5, 5.5, 9]);
  });
});

describe('without flags the likely diseases decide', () => {
  const noFlags = (anamnesis: PartialAnamnesis) => expect(evaluateRedFlags(anamnesis).flags).toEqual([]);

  test('urgent ones together likely: within 24 hours', () => {
    const shingles: PartialAnamnesis = {
      patient: { ageYears: 70 },
      complaint: { category: 'rash', duration: 'one_to_four_weeks', progression: 'stable' },
      locations: [{ primary: 'trunk_side', secondary: 'flank' }],
      lesion: { arrangement: 'dermatomal', distribution: 'unilateral', lesionTypes: ['vesicle'] },
      symptoms: { local: ['pain', 'burning'], painCharacter: 'burning_or_electric', systemic: ['none'] },
      history: { skinConditions: ['none'] },
    };
    noFlags(shingles);
    const urgent = rankDiseases(shingles).filter(({ disease }) =>
      /urgent|emergency/.test(disease.typicalUrgency),
    );
    expect(urgent.reduce((sum, { probability }) => sum + probability, 0)).toBeGreaterThanOrEqual(0.35);
    expect(triage(shingles)).toMatchObject({
      priority: 'urgent_24h',
      urgencyScore: 8,
      recommendedAction: 'physician_review_within_24h',
    });
    expect(codesOf(shingles)).toContain('urgent_disease_likely');
  });

  test('urgent ones are excluded by a year, and by months only when they are known not to have worsened', () => {
    const spots = (complaint: PartialAnamnesis['complaint']): PartialAnamnesis => ({
      patient: { ageYears: 1 },
      complaint: { category: 'rash', ...complaint },
      lesion: { lesionTypes: ['vesicle'], arrangement: 'dermatomal', distribution: 'unilateral' },
      locations: [{ primary: 'trunk_side', secondary: 'flank' }],
      symptoms: { local: ['pain', 'burning'], painCharacter: 'burning_or_electric', systemic: ['none'] },
      history: { skinConditions: ['none'] },
    });
    const isUrgent = (complaint: PartialAnamnesis['complaint']) =>
      codesOf(spots(complaint)).includes('urgent_disease_likely');
    const months = 'three_to_twelve_months';
    expect([
      isUrgent({ duration: 'more_than_one_year', progression: 'slowly_worsening' }),
      isUrgent({ duration: months, progression: 'stable' }),
      isUrgent({ duration: months, progression: 'improving' }),
      isUrgent({ duration: months, progression: 'slowly_worsening' }),
      isUrgent({ duration: months, progression: 'not_sure' }),
      isUrgent({ duration: months }),
      isUrgent({}),
    ]).toEqual([false, false, false, true, true, true, true]);
  });

  test('skin cancer not unlikely: within two weeks', () => {
    const ulcer: PartialAnamnesis = {
      patient: { ageYears: 74 },
      complaint: { category: 'growth_or_mole' },
      locations: [{ primary: 'head_neck', secondary: 'cheek' }],
      lesion: { surfaceChanges: ['ulcerated', 'crusted'], border: 'rolled_raised' },
      symptoms: { local: ['none'] },
    };
    noFlags(ulcer);
    expect(triage(ulcer)).toMatchObject({ priority: 'soon_2_weeks', urgencyScore: 5 });
    expect(codesOf(ulcer)).toContain('skin_cancer_possible');
  });

  test('a condition for the next two weeks likely: within two weeks', () => {
    const burrows: PartialAnamnesis = {
      complaint: { category: 'rash' },
      locations: [{ primary: 'hand', secondary: 'finger_webs' }],
      lesion: { lesionTypes: ['burrow'] },
      symptoms: { local: ['itching'], timing: 'worse_at_night' },
      exposures: { contactsAffected: 'household_itching' },
    };
    noFlags(burrows);
    expect(rankDiseases(burrows)[0]?.disease.slug).toBe('scabies');
    expect(triage(burrows)).toMatchObject({ priority: 'soon_2_weeks' });
    expect(codesOf(burrows)).toContain('soon_disease_likely');
  });

  test('nothing of it: a routine review, never an all-clear', () => {
    const { priority, urgencyScore, recommendedAction, reasons } = triage({
      complaint: { category: 'acne' },
    });
    expect([priority, urgencyScore, recommendedAction]).toEqual(['routine', 2, 'routine_physician_review']);
    expect(reasons.map(({ code }) => code)).toEqual(['nothing_urgent_found', 'answers_missing']);
    expect(reasons[0]?.text).toContain('not an all-clear');
  });
});

describe('self-care is advised only when all speaks for it', () => {
  test('pimples with every required answer and a usable photo', () => {
    const { priority, urgencyScore, recommendedAction, reasons } = triage(acne);
    expect([priority, urgencyScore, recommendedAction]).toEqual(['self_care', 0, 'self_care_advice']);
    expect(reasons.map(({ code }) => code)).toEqual(['self_care_likely']);
  });

  test('an old growth that has not changed', () => {
    expect(triage(keratosis).priority).toBe('self_care');
    const grown = { ...keratosis, lesion: { ...keratosis.lesion, changes: ['sensation' as const] } };
    expect(triage(grown).priority).not.toBe('self_care');
  });

  const { patient, complaint, ...others } = acne;
  const girl = { ageYears: 17, gender: 'female' } as const;
  const { medications: _unasked, ...unfinished } = acne;
  const { images: _unseen, ...unseen } = acne;
  const cases: [string, PartialAnamnesis][] = [
    ['a photo is unusable', { ...acne, images: [photo, { ...photo, quality: { isValid: false } }] }],
    ['no photo has been judged', { ...acne, images: [{ url: photo.url }] }],
    ['there is no photo', unseen],
    ['a required answer is missing', unfinished],
    ['the age is not known', { ...acne, patient: { gender: 'male', ageGroup: 'unknown' } }],
    ['the patient is younger than 2', { ...acne, patient: { ...patient, ageYears: 1 } }],
    ['the patient can be 70', { ...keratosis, patient: { gender: 'male', ageGroup: 'age_70_to_79' } }],
    ['the patient is pregnant', { ...acne, patient: { ...girl, pregnancyStatus: 'pregnant' } }],
    ['pregnancy is not known', { ...acne, patient: { ...girl, pregnancyStatus: 'unknown' } }],
    ['pregnancy was not answered', { ...acne, patient: girl }],
    ['the immune system is weak', { ...acne, history: { immuneStatus: 'chemotherapy' } }],
    ['the immune system is not known', { ...acne, history: { immuneStatus: 'unknown' } }],
    [
      'it lasts longer',
      { ...others, patient, complaint: { ...complaint, duration: 'more_than_one_year' } } as PartialAnamnesis,
    ],
    [
      'there is a flag',
      {
        ...acne,
        complaint: { ...acne.complaint, impact: 'thoughts_of_self_harm' } as PartialAnamnesis['complaint'],
      },
    ],
  ];

  test('a girl who is not pregnant is as good an example as a boy', () => {
    expect(triage({ ...acne, patient: { ...girl, pregnancyStatus: 'not_pregnant' } }).priority).toBe(
      'self_care',
    );
  });

  test.each(cases)('not when %s', (_name, anamnesis) => {
    // All else still speaks for it, so that this is what forbids it.
    const [top] = rankDiseases(anamnesis);
    expect(top?.disease.typicalUrgency).toBe('self_care');
    expect(top?.probability).toBeGreaterThanOrEqual(0.5);
    expect(triage(anamnesis).priority).not.toBe('self_care');
  });
});

/** A year or more, or months that are known to have passed without a change for the worse. */
const hasLastedLong = ({ complaint }: PartialAnamnesis) =>
  ['more_than_one_year', 'more_than_five_years', 'since_childhood'].includes(complaint?.duration ?? '') ||
  (complaint?.duration === 'three_to_twelve_months' &&
    ['improving', 'stable'].includes(complaint.progression ?? ''));

test('the level is the first of the table whose condition holds', () => {
  const seen = new Map<string, number>();
  const anyStart = anyPartialAnamnesis.map(({ symptoms: _signs, ...others }) => others as PartialAnamnesis);
  fc.assert(
    fc.property(anyStart, (anamnesis) => {
      const { urgency, flags } = evaluateRedFlags(anamnesis);
      const ranked = rankDiseases(anamnesis);
      const p = (...of: string[]) =>
        ranked
          .filter(({ disease }) => of.includes(disease.slug) || of.includes(disease.typicalUrgency))
          .reduce((sum, { probability }) => sum + probability, 0);
      const [top] = ranked;
      const isSoon =
        urgency === 'medium' ||
        p('melanoma', 'squamous_cell_carcinoma', 'basal_cell_carcinoma') >= 0.15 ||
        (top?.disease.typicalUrgency === 'soon' && top.probability >= 0.25);
      const mayCareForSelf =
        flags.length === 0 && top?.disease.typicalUrgency === 'self_care' && top.probability >= 0.5;
      const { priority } = triage(anamnesis);
      seen.set(priority, (seen.get(priority) ?? 0) + 1);
      if (urgency === 'emergency') expect(priority).toBe('emergency');
      else if (urgency === 'high' || (p('urgent', 'emergency') >= 0.35 && !hasLastedLong(anamnesis)))
        expect(priority).toBe('urgent_24h');
      else if (isSoon) expect(priority).toBe('soon_2_weeks');
      else if (!mayCareForSelf) expect(priority).toBe('routine');
      else expect(['self_care', 'routine']).toContain(priority);
    }),
    { numRuns: 400 },
  );
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining(['emergency', 'urgent_24h', 'soon_2_weeks', 'routine']),
  );
});

test('an unusable photo adds a reason and never lowers the priority', () => {
  const retaken = { ...photo, quality: { isValid: false } };
  fc.assert(
    fc.property(anyPartialAnamnesis, (anamnesis) => {
      const before = triage(anamnesis as PartialAnamnesis);
      const after = triage({ ...(anamnesis as PartialAnamnesis), images: [retaken] });
      expect(after.reasons.map(({ code }) => code)).toContain('retake_photos');
      const rank = (level: TriageLevel) => TriageLevel.options.indexOf(level);
      expect(rank(after.priority)).toBeLessThanOrEqual(rank(before.priority));
    }),
    { numRuns: propertyRuns(80) },
  );
});

test('whatever is answered, the reply fits the gateway’s schema and is the same each time', () => {
  fc.assert(
    fc.property(anyPartialAnamnesis, fc.constantFrom('en', 'he', 'ar', 'es'), (anamnesis, language) => {
      const reply = triage(anamnesis as PartialAnamnesis, language as 'en');
      expect(TriageReply.parse(reply)).toEqual(reply);
      expect(triage(anamnesis as PartialAnamnesis, language as 'en')).toEqual(reply);
      expect(reply.machineDrafted ?? false).toBe(language !== 'en');
      expect(reply.reasons.length).toBeGreaterThan(0);
    }),
    { numRuns: propertyRuns(80) },
  );
});
