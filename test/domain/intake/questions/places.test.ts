import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import { SunExposure } from '../../../../src/domain/intake/anamnesis/vocabulary/exposures.ts';
import { LocationPrimary } from '../../../../src/domain/intake/anamnesis/vocabulary/locations.ts';
import { isPaired } from '../../../../src/domain/intake/questions/paired-places.ts';
import { placesOf } from '../../../../src/domain/intake/questions/places.ts';
import type { Question } from '../../../../src/domain/intake/questions/question.ts';
import { safetyNeedsOf } from '../../../../src/domain/intake/questions/safety-needs.ts';
import { safetyQuestions } from '../../../../src/domain/intake/questions/safety-questions.ts';
import { evaluateRules } from '../../../../src/domain/intake/red-flags/evaluate-red-flags.ts';
import { anyPartialAnamnesis } from '../anamnesis/arbitraries.ts';

const noNeeds = { open: new Set<string>(), emergency: new Set<string>(), steering: [] };
const url = '/api/common/images/0198a0b0-0000-7000-8000-000000000001';

const question = (id: string, field: string, more: Partial<Question> = {}): Question => ({
  id,
  type: 'radio',
  field,
  ...more,
});

const askedIds = (
  questions: readonly Question[],
  anamnesis: PartialAnamnesis,
  needs: Parameters<typeof placesOf>[2] = noNeeds,
) =>
  placesOf(questions, anamnesis, needs)
    .filter(({ isAsked, isAnswered }) => isAsked && !isAnswered)
    .map(({ questionId }) => questionId);

describe('photos', () => {
  const photos = [
    question('q_photo_close', 'images', { type: 'camera', required: true }),
    question('q_photo_overview', 'images', { type: 'camera' }),
  ];

  test('the close-up is the first, the overview the second', () => {
    expect(askedIds(photos, {})).toEqual(['q_photo_close', 'q_photo_overview']);
    expect(askedIds(photos, { images: [{ url }] })).toEqual(['q_photo_overview']);
    expect(askedIds(photos, { images: [{ url }, { url }] })).toEqual([]);
  });

  test('no overview is asked for while the close-up is unusable', () => {
    expect(askedIds(photos, { images: [{ url, quality: { isValid: false } }] })).toEqual([]);
    expect(askedIds(photos, { images: [{ url, quality: { isValid: true } }] })).toEqual(['q_photo_overview']);
  });

  test('an image without an address is asked for its own', () => {
    expect(askedIds(photos, { images: [{ url }, {}] })).toEqual(['q_photo_close[1]']);
  });
});

describe('locations', () => {
  const region = question('q_location', 'locations[].primary', { type: 'checkbox', required: true });
  const detail = question('q_location_detail', 'locations[].secondary', {
    type: 'checkbox',
    whenAt: ({ primary }) => primary === 'arm' || primary === 'mouth',
  });
  const side = question('q_side', 'locations[].side', { whenAt: isPaired });

  test('one question for all regions, then one for every item without a region', () => {
    expect(askedIds([region], {})).toEqual(['q_location']);
    expect(askedIds([region], { locations: [{ primary: 'arm' }] })).toEqual([]);
    expect(askedIds([region], { locations: [{ primary: 'arm' }, { secondary: 'ear' }] })).toEqual([
      'q_location[1]',
    ]);
  });

  test('a question about every location is asked for those that it applies to', () => {
    const locations: PartialAnamnesis['locations'] = [
      { primary: 'arm' },
      { primary: 'generalized' },
      { primary: 'mouth', secondary: 'tongue' },
    ];
    expect(askedIds([detail], { locations })).toEqual(['q_location_detail[0]']);
    expect(askedIds([side], { locations })).toEqual(['q_side[0]']);
  });

  test.each([
    [{ primary: 'arm' }, { primary: 'mouth' }],
    [{ primary: 'head_neck', secondary: 'ear' }, { primary: 'head_neck' }],
    [
      { primary: 'buttocks', secondary: 'buttock' },
      { primary: 'buttocks', secondary: 'gluteal_cleft' },
    ],
  ] as const)('left or right is asked of %j and not of %j', (paired, single) => {
    expect([isPaired(paired), isPaired(single)]).toEqual([true, false]);
  });

  test('exact places from one question count as one', () => {
    const locations: PartialAnamnesis['locations'] = [
      { primary: 'arm', secondary: 'elbow' },
      { primary: 'arm', secondary: 'wrist' },
      { primary: 'mouth', secondary: 'tongue' },
    ];
    const counted = placesOf([detail], { locations }, noNeeds).map(({ countsAs }) => countsAs);
    expect(new Set(counted).size).toBe(2);
  });

  test('exact places are asked for the regions where a rule reads them, and for no others', () => {
    const rows = safetyQuestions.filter(({ field }) => field === 'locations[].secondary');
    const askedOf = LocationPrimary.options.filter((primary) =>
      rows.some(({ whenAt }) => whenAt?.({ primary })),
    );
    const others = LocationPrimary.options.filter((region) => !askedOf.includes(region));
    expect(others.length).toBeGreaterThan(0);
    const wanted = new Set<string>();
    fc.assert(
      fc.property(anyPartialAnamnesis, fc.constantFrom(...LocationPrimary.options), (answers, primary) => {
        const openFields = evaluateRules({ ...answers, locations: [{ primary }] }).flatMap(
          (verdict) => verdict.openFields,
        );
        if (openFields.includes('locations[].secondary')) wanted.add(primary);
      }),
      { numRuns: 600 },
    );
    expect([...wanted].toSorted()).toEqual(askedOf.toSorted());
  });
});

describe('medicines', () => {
  const start = question('q_med_start', 'medications[].startedRelative', { required: true });

  test('are each asked about', () => {
    const medications = [{ name: 'x' }, { name: 'y', startedRelative: 'unknown' as const }, {}];
    expect(askedIds([start], { medications })).toEqual(['q_med_start[0]', 'q_med_start[2]']);
    expect(askedIds([start], { medications: [] })).toEqual([]);
  });
});

test('an age group answers the question for the age', () => {
  const age = question('q_age', 'patient.ageYears', { type: 'number', required: true });
  expect(askedIds([age], { patient: { ageGroup: 'age_30_to_39' } })).toEqual([]);
  expect(askedIds([age], { patient: { ageGroup: 'unknown' } })).toEqual([]);
  expect(askedIds([age], { patient: {} })).toEqual(['q_age']);
});

describe('safety questions', () => {
  const idsOf = (id: string) => safetyQuestions.filter((it) => it.id === id);
  const placeOf = (id: string, needs: Parameters<typeof placesOf>[2]) =>
    placesOf(idsOf(id), {}, needs).at(-1);

  test('are asked only while a rule needs the answer', () => {
    expect(placeOf('q_discharge', noNeeds)).toMatchObject({ isAsked: false });
    expect(placeOf('q_discharge', { ...noNeeds, open: new Set(['lesion.discharge']) })).toMatchObject({
      isAsked: true,
    });
  });

  test('are required where "not sure" can be chosen, so that no answer has to be invented', () => {
    const open = new Set(['lesion.discharge', 'symptoms.painSeverity', 'exposures.sunExposure']);
    const isRequired = (id: string) => placeOf(id, { ...noNeeds, open })?.isRequired;
    expect(isRequired('q_discharge')).toBe(true);
    expect(isRequired('q_pain')).toBe(true);
    const sure = question('q_sun', 'exposures.sunExposure', { options: SunExposure, safety: true });
    expect(placesOf([sure], {}, { ...noNeeds, open })).toMatchObject([{ isAsked: true, isRequired: false }]);
  });

  test('that steer are asked regardless of their own condition', () => {
    const only = [
      question('q_mucosa', 'lesion.mucosalSites', { when: () => ({ value: false, openFields: [] }) }),
    ];
    expect(askedIds(only, {})).toEqual([]);
    const needs = { ...noNeeds, open: new Set(['lesion.mucosalSites']), steering: ['lesion.mucosalSites'] };
    expect(askedIds(only, {}, needs)).toEqual(['q_mucosa']);
  });

  test('every field that a rule can ask for has a question, for any answers', () => {
    const fields = new Set(safetyQuestions.map(({ field }) => field));
    const missing = new Set<string>();
    fc.assert(
      fc.property(anyPartialAnamnesis, (answers) => {
        const { open } = safetyNeedsOf(answers as PartialAnamnesis);
        for (const field of open) if (!fields.has(field)) missing.add(field);
      }),
      { numRuns: 500 },
    );
    expect([...missing]).toEqual([]);
  });
});
