import { describe, expect, test } from 'vitest';
import {
  type EligibilityFacts,
  type EligibilityRules,
  codesOf,
  evaluateEligibility,
  isAskedOfPatient,
  type Membership,
  membershipIn,
  openQuestion,
  refusalsOf,
  requestsToPatient,
} from '../../../../src/domain/cases/record/evaluate-eligibility.ts';

const rules: EligibilityRules = {
  version: '1',
  min_age_years: 0,
  guardian_under_years: 18,
  excluded_sites: [{ site: 'groin_genitals', under_years: 16 }],
  quota: { cases: 5, days: 30 },
  duplicate_days: 7,
  membership: 'none',
};

const good: EligibilityFacts = {
  consent: { given: '1', current: '1' },
  missingAnswers: [],
  photos: [{ isValid: true, issues: [] }],
  ages: { min: 41, max: 41 },
  relation: 'self',
  sites: ['arm'],
  membership: { state: 'member' },
  recentCases: 0,
  duplicateOf: undefined,
  hasUrgentFlag: false,
};

const judge = (facts: Partial<EligibilityFacts>, limits: Partial<EligibilityRules> = {}) =>
  evaluateEligibility({ ...good, ...facts }, { ...rules, ...limits });

const blurry = { isValid: false, issues: ['blurry', 'too_dark'] };
const years = (min: number, max = min) => ({ min, max });
const aged16 = { ages: years(16), relation: 'child' } as const;
const otherCase = '0198f3c5-0000-7000-8000-000000000001';

test('a complete case of a member is eligible, without a reason', () => {
  expect(judge({})).toEqual({ outcome: 'eligible', reasons: [] });
});

describe('one rule alone', () => {
  test.each<[string, Partial<EligibilityFacts>, string, string[]]>([
    ['an older consent', { consent: { given: '1', current: '2' } }, 'needs_patient', ['consent_outdated']],
    ['no consent', { consent: { given: null, current: '2' } }, 'needs_patient', ['consent_outdated']],
    [
      'missing answers',
      { missingAnswers: ['/patient/gender'] },
      'needs_patient',
      ['answers_missing:/patient/gender'],
    ],
    ['no photo', { photos: [] }, 'needs_patient', ['photos_missing']],
    [
      'only unusable photos',
      { photos: [blurry, blurry] },
      'needs_patient',
      ['retake_photos', 'retake_photos:blurry', 'retake_photos:too_dark'],
    ],
    ['a minor of an own account', { ages: years(17) }, 'needs_patient', ['guardian_required']],
    [
      'a site that is excluded at this age',
      { sites: ['groin_genitals'], ages: years(15), relation: 'child' },
      'ineligible',
      ['site_excluded:groin_genitals'],
    ],
    [
      'such a site at an age group that may be younger',
      { sites: ['groin_genitals'], ages: years(12, 17), relation: 'child' },
      'ineligible',
      ['site_excluded:groin_genitals'],
    ],
    [
      'a patient whom the service refuses',
      { membership: { state: 'not_a_member', reason: 'lapsed' } },
      'ineligible',
      ['not_a_member:lapsed'],
    ],
    ['a patient without an id', { membership: { state: 'not_a_member' } }, 'ineligible', ['not_a_member']],
    [
      'a service that cannot be reached',
      { membership: { state: 'unreachable' } },
      'undetermined',
      ['membership_unverified'],
    ],
    ['the sixth case of a month', { recentCases: 5 }, 'ineligible', ['quota_exceeded']],
    ['the same case again', { duplicateOf: otherCase }, 'ineligible', [`duplicate_case:${otherCase}`]],
  ])('%s', (_title, facts, outcome, reasons) => {
    expect(judge(facts)).toEqual({ outcome, reasons });
  });

  test('a patient below the least age of the tenant', () => {
    expect(judge({ ages: years(1), relation: 'child' }, { min_age_years: 2 })).toEqual({
      outcome: 'ineligible',
      reasons: ['age_excluded'],
    });
    const just = judge({ ages: years(2), relation: 'child' }, { min_age_years: 2 });
    expect(just.outcome).toBe('eligible');
  });
});

test.each<[string, Partial<EligibilityFacts>]>([
  ['one good photo among bad ones', { photos: [blurry, { isValid: true, issues: [] }] }],
  ['a photo without a verdict among bad ones', { photos: [blurry, undefined] }],
  ['a child whose guardian sends the case', { ages: years(3), relation: 'child' }],
  ['a patient who has come of age', { ages: years(18) }],
  ['a patient who may have come of age', { ages: years(12, 18) }],
  ['a child at the age at which a site is not excluded any more', { ...aged16, sites: ['groin_genitals'] }],
  ['an adult with an excluded site', { sites: ['groin_genitals'] }],
  ['a patient of unknown age', { ages: undefined, sites: ['groin_genitals'] }],
  ['the fifth case of a month', { recentCases: 4 }],
])('%s is eligible', (_title, facts) => {
  expect(judge(facts)).toEqual({ outcome: 'eligible', reasons: [] });
});

const everything: Partial<EligibilityFacts> = {
  missingAnswers: ['/patient/gender', '/symptoms'],
  photos: [blurry],
  ages: years(15),
  sites: ['groin_genitals'],
  membership: { state: 'not_a_member' },
  recentCases: 9,
  duplicateOf: otherCase,
};

const allReasons = [
  'answers_missing:/patient/gender',
  'answers_missing:/symptoms',
  'retake_photos',
  'retake_photos:blurry',
  'retake_photos:too_dark',
  'guardian_required',
  'site_excluded:groin_genitals',
  'not_a_member',
  'quota_exceeded',
  `duplicate_case:${otherCase}`,
];

test('every rule speaks, in the order of the design; what no patient can mend decides', () => {
  const outdated = { consent: { given: null, current: '2' } };
  expect(judge({ ...everything, ...outdated })).toEqual({
    outcome: 'ineligible',
    reasons: ['consent_outdated', ...allReasons],
  });
});

test('a verdict of the AI service on a photo is a reason only where it is a code', () => {
  const issues = ['blurry', 'Ann has a rash', 'x'.repeat(49)];
  expect(judge({ photos: [{ isValid: false, issues }] }).reasons).toEqual([
    'retake_photos',
    'retake_photos:blurry',
  ]);
});

test('what the patient can mend is asked for before an unreachable service is asked again', () => {
  const facts = { photos: [blurry], membership: { state: 'unreachable' } } as const;
  expect(judge(facts).outcome).toBe('needs_patient');
});

describe('a flag of high or emergency urgency that is met', () => {
  test('overrides everything but consent, and the reasons stay on record', () => {
    expect(judge({ ...everything, hasUrgentFlag: true })).toEqual({
      outcome: 'eligible',
      reasons: [...allReasons, 'emergency_override'],
    });
  });

  test('does not override consent', () => {
    const facts = { consent: { given: null, current: '2' }, hasUrgentFlag: true };
    expect(judge({ ...everything, ...facts })).toMatchObject({ outcome: 'needs_patient' });
  });

  test('overrides a service that cannot be reached', () => {
    expect(judge({ membership: { state: 'unreachable' }, hasUrgentFlag: true })).toEqual({
      outcome: 'eligible',
      reasons: ['membership_unverified', 'emergency_override'],
    });
  });

  test('is no reason where nothing has to be overridden', () => {
    expect(judge({ hasUrgentFlag: true })).toEqual({ outcome: 'eligible', reasons: [] });
  });
});

test('the message to the patient has only what the patient can mend, each once', () => {
  expect(requestsToPatient(judge({ ...everything, hasUrgentFlag: true }).reasons)).toEqual([
    'answers_missing',
    'retake_photos',
    'retake_photos:blurry',
    'retake_photos:too_dark',
    'guardian_required',
  ]);
  expect(requestsToPatient(judge({ recentCases: 9 }).reasons)).toEqual([]);
  const nothing = { consent: { given: null, current: '2' }, photos: [] };
  expect(requestsToPatient(judge(nothing).reasons)).toEqual(['consent_outdated', 'photos_missing']);
});

test('a case in the queue takes what its patient can mend, and an answer to a physician', () => {
  expect(allReasons.filter(isAskedOfPatient)).toEqual(allReasons.slice(0, 6));
  expect(isAskedOfPatient(openQuestion)).toBe(true);
  expect(isAskedOfPatient('emergency_override')).toBe(false);
});

test('a patient learns every reason that refuses the case, without the answer of the eligibility service', () => {
  const ruled = [
    'site_excluded:groin_genitals',
    'not_a_member',
    'quota_exceeded',
    `duplicate_case:${otherCase}`,
  ];
  expect(refusalsOf(allReasons)).toEqual(ruled);
  expect(refusalsOf([...allReasons, openQuestion, 'emergency_override', 'membership_unverified'])).toEqual(
    ruled,
  );
});

test('an event has the codes of reasons, each once, without what they are about', () => {
  expect(codesOf(allReasons)).toEqual([
    'answers_missing',
    'retake_photos',
    'guardian_required',
    'site_excluded',
    'not_a_member',
    'quota_exceeded',
    'duplicate_case',
  ]);
});

test.each<Membership>([
  { state: 'member' },
  { state: 'unreachable' },
  { state: 'not_a_member' },
  { state: 'not_a_member', reason: 'lapsed' },
])('a membership is found again among the reasons: %j', (membership) => {
  expect(membershipIn(judge({ membership, recentCases: 9 }).reasons)).toEqual(membership);
});
