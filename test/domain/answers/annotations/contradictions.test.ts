import { describe, expect, test } from 'vitest';
import {
  contradictionsOf,
  isEmergencyCode,
  type JudgedAnswer,
} from '../../../../src/domain/answers/annotations/contradictions.ts';
import { RedFlagUrgency } from '../../../../src/domain/intake/red-flags/red-flags.schemas.ts';
import { RecommendedAction, TriageLevel } from '../../../../src/domain/intake/triage/triage.schemas.ts';

/** A harmless answer to a harmless case, but for what is given. */
const judge = (given: Partial<JudgedAnswer>) =>
  contradictionsOf({
    action: 'self_care_advice',
    metFlag: null,
    triageLevel: null,
    hasEmergencyDiagnosis: false,
    isConfirmed: false,
    photosOk: true,
    ...given,
  }).map(({ code, is_emergency: isEmergency }) => (isEmergency ? `${code}!` : code));

/**
 * Written by hand, independent of the rules: A allowed, a letter of its own for each refusal. `F` and `f`: less urgent than the
 * flags, `T` and `t`: than the level, the capital with a confirmation; `b`: both without one being enough for the other.
 */
const words: Readonly<Record<string, readonly string[]>> = {
  A: [],
  F: ['action_below_red_flags!'],
  f: ['action_below_red_flags'],
  T: ['action_below_triage!'],
  t: ['action_below_triage'],
  B: ['action_below_red_flags', 'action_below_triage!'],
};
// Columns: call now, today, 24 hours, 2 weeks, routine, at home, new photos.
const emergencyFlag = 'A F F F F F F';
const anyFlagOnEmergency = 'A T T T T T T';
const table: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  none: {
    none: 'A A A A A A A',
    emergency: anyFlagOnEmergency,
    urgent_24h: 'A A A A A t t',
    soon_2_weeks: 'A A A A A A A',
    routine: 'A A A A A A A',
    self_care: 'A A A A A A A',
  },
  low: {
    none: 'A A A A A A A',
    emergency: anyFlagOnEmergency,
    urgent_24h: 'A A A A A t t',
    soon_2_weeks: 'A A A A A A A',
    routine: 'A A A A A A A',
    self_care: 'A A A A A A A',
  },
  medium: {
    none: 'A A A A f f f',
    emergency: 'A T T T B B B',
    urgent_24h: 'A A A A f f f',
    soon_2_weeks: 'A A A A f f f',
    routine: 'A A A A f f f',
    self_care: 'A A A A f f f',
  },
  high: {
    none: 'A A A f f f f',
    emergency: 'A T T B B B B',
    urgent_24h: 'A A A f f f f',
    soon_2_weeks: 'A A A f f f f',
    routine: 'A A A f f f f',
    self_care: 'A A A f f f f',
  },
  emergency: {
    none: emergencyFlag,
    emergency: emergencyFlag,
    urgent_24h: emergencyFlag,
    soon_2_weeks: emergencyFlag,
    routine: emergencyFlag,
    self_care: emergencyFlag,
  },
};

const cells = [null, ...RedFlagUrgency.options].flatMap((metFlag) =>
  [null, ...TriageLevel.options].flatMap((triageLevel) =>
    RecommendedAction.options.map((action, column) => {
      const letter = table[metFlag ?? 'none']?.[triageLevel ?? 'none']?.split(' ')[column] ?? '';
      return { metFlag, triageLevel, action, expected: words[letter] };
    }),
  ),
);

describe('what contradicts the danger', () => {
  test.each(cells)('$action with flag $metFlag at level $triageLevel', ({ expected, ...cell }) => {
    expect(judge(cell)).toEqual(expected);
  });

  test.each(RecommendedAction.options)('a diagnosis that is an emergency beside %s', (action) => {
    const soon = ['call_emergency_services', 'same_day_medical_review', 'physician_review_within_24h'];
    const expected = soon.includes(action) ? [] : ['emergency_diagnosis_not_urgent!'];
    expect(judge({ action, hasEmergencyDiagnosis: true })).toEqual(expected);
  });

  test('a confirmed diagnosis on poor photos', () => {
    expect(judge({ isConfirmed: true, photosOk: false })).toEqual(['confirmed_on_poor_photos']);
    expect(judge({ isConfirmed: true })).toEqual([]);
    expect(judge({ photosOk: false })).toEqual([]);
  });

  test('a red flag, an emergency as diagnosis and poor photos are three contradictions', () => {
    const all = { hasEmergencyDiagnosis: true, isConfirmed: true, photosOk: false } as const;
    expect(judge({ ...all, metFlag: 'emergency', triageLevel: 'emergency' })).toEqual([
      'action_below_red_flags!',
      'emergency_diagnosis_not_urgent!',
      'confirmed_on_poor_photos',
    ]);
  });
});

test('codes of ICD-10 are emergencies with those below them, however they are written', () => {
  for (const code of ['A39', 'A39.2', 'a392', ' M72.6 ', 'L51.1', 'T78.2', 'M72.60']) {
    expect(isEmergencyCode(code), code).toBe(true);
  }
  for (const code of ['', 'A3', 'L20.9', 'L51.0', 'T78.3', 'M72', 'L53.9']) {
    expect(isEmergencyCode(code), code).toBe(false);
  }
});
