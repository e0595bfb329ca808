import { describe, expect, test } from 'vitest';
import { adviceOf, type AnalysedCase } from '../../../../src/domain/cases/patient/case-advice.ts';
import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import { Language } from '../../../../src/contract/language.ts';
import { flagText } from '../../../../src/domain/intake/red-flags/flag-text.ts';
import type {
  FlagDetail,
  RedFlagUrgency,
} from '../../../../src/domain/intake/red-flags/red-flags.schemas.ts';
import type { RecommendedAction } from '../../../../src/domain/intake/triage/triage.schemas.ts';

const code = 'spreading_infection_systemic';
const feverish: PartialAnamnesis = {
  symptoms: { emergency: ['none'], local: ['pain'], systemic: ['fever'] },
};
/** For our rules it cannot be excluded. */
const open = { ...feverish, patient: { ageYears: 40 } };
/** And is met. */
const met: PartialAnamnesis = { ...open, lesion: { skinTemperature: 'hot' } };
const record: Parameters<typeof adviceOf>[0] = {
  red_flags: [code],
  urgent_flags: [],
  urgency: 'high',
  language: 'es',
};

function advice(answers: PartialAnamnesis, stored: Partial<FlagDetail>, flags = record) {
  const analysis = {
    predictions: [],
    red_flags: { flagDetails: [{ code, text: 'In the words of the service.', urgency: 'high', ...stored }] },
    triage: { recommendedAction: 'self_care_advice' },
  } as unknown as AnalysedCase;
  return adviceOf(flags, answers, analysis, 'es')?.flagDetails;
}

describe('a flag that the AI service has found', () => {
  test.each<[string, Partial<FlagDetail>]>([
    ['', { certainty: 'met' }],
    [' without a certainty', {}],
  ])('is found%s for the patient as well, although our rules only cannot exclude it', (_name, stored) => {
    expect(advice(open, stored)).toEqual([
      expect.objectContaining({
        code,
        urgency: 'high',
        text: flagText(code, 'es'),
        ...(stored.certainty !== undefined && { certainty: 'met' }),
      }),
    ]);
  });

  test('and that no rule of ours has is in its own words', () => {
    expect(advice({}, { certainty: 'met' })).toMatchObject([{ text: 'In the words of the service.' }]);
    const unknown = { ...record, red_flags: ['of_the_service'] };
    expect(advice(open, { code: 'of_the_service' }, unknown)).toMatchObject([
      { code: 'of_the_service', text: 'In the words of the service.' },
    ]);
  });
});

test('of a case in another language the reader has our words for a flag, where there are any', () => {
  const inHebrew = { ...record, language: 'he' as const };
  expect(advice({}, { certainty: 'met' }, inHebrew)).toMatchObject([{ text: flagText(code, 'es') }]);
  const unknown = { ...inHebrew, red_flags: ['of_the_service'] };
  expect(advice({}, { code: 'of_the_service' }, unknown)).toMatchObject([
    { text: 'In the words of the service.' },
  ]);
});

describe('a flag that was met before the answers changed', () => {
  const wasMet = { ...record, urgent_flags: [code] };
  const found = { code, text: flagText(code, 'es'), urgency: 'high', certainty: 'met' };

  test('does not read as one that cannot be excluded, neither alone nor beside an AI service that could not exclude it', () => {
    expect(adviceOf(wasMet, open, undefined, 'es')?.flagDetails).toEqual([found]);
    expect(advice(open, { urgency: 'medium', certainty: 'not_excluded' }, wasMet)).toEqual([found]);
  });

  test.each(['high', 'emergency'] as const)('is as urgent as the case, that is %s', (urgency) => {
    const sepsis = { red_flags: ['possible_sepsis'], urgent_flags: ['possible_sepsis'], urgency };
    const unsure: PartialAnamnesis = { symptoms: { emergency: ['confusion'] } };
    expect(adviceOf({ ...record, ...sepsis }, unsure, undefined, 'es')?.flagDetails).toEqual([
      { ...found, code: 'possible_sepsis', text: flagText('possible_sepsis', 'es'), urgency },
    ]);
  });
});

test('what our rules have found since is not lowered by an earlier answer of the service', () => {
  expect(advice(met, { urgency: 'medium', certainty: 'not_excluded' })).toMatchObject([
    { urgency: 'high', certainty: 'met', text: flagText(code, 'es') },
  ]);
});

test('what neither has found names the fact that is not known, in the language of the reader', () => {
  const [flag] = advice(open, { urgency: 'medium', certainty: 'not_excluded' }) ?? [];
  expect(flag).toMatchObject({ urgency: 'medium', certainty: 'not_excluded' });
  expect(flag?.text.startsWith(flagText(code, 'es'))).toBe(true);
  expect(flag?.text.length).toBeGreaterThan(flagText(code, 'es').length);
});

describe('the recommended action', () => {
  test.each<[RedFlagUrgency, RecommendedAction | undefined, RecommendedAction | null]>([
    ['emergency', 'routine_physician_review', 'call_emergency_services'],
    ['high', 'physician_review_within_24h', 'same_day_medical_review'],
    ['high', 'call_emergency_services', 'call_emergency_services'],
    ['high', undefined, 'same_day_medical_review'],
    ['medium', 'same_day_medical_review', 'same_day_medical_review'],
    ['medium', 'self_care_advice', 'physician_review_within_2_weeks'],
    ['low', 'self_care_advice', 'self_care_advice'],
    ['low', undefined, null],
  ])('of %s flags beside %s is %s', (urgency, recommendedAction, action) => {
    const analysis = { red_flags: {}, triage: { recommendedAction } } as unknown as AnalysedCase;
    const given = recommendedAction === undefined ? undefined : analysis;
    expect(adviceOf({ ...record, red_flags: ['x'], urgency }, {}, given, 'en')?.recommendedAction).toBe(
      action,
    );
  });
});

test('the most urgent flag is read first, and a case without flags has no advice', () => {
  const flags = { ...record, red_flags: ['of_the_service', code] };
  const stored = { code: 'of_the_service', urgency: 'low' } as const;
  expect(advice(met, stored, flags)?.map((flag) => flag.code)).toEqual([code, 'of_the_service']);
  expect(adviceOf({ ...record, red_flags: [], urgency: null }, met, undefined, 'en')).toBeNull();
});

test.each(Language.options)('a flag that has no words is not advice by its code, in %s', (language) => {
  const flags = {
    ...record,
    red_flags: ['pemphigus_suspected', 'possible_sepsis'],
    urgency: 'emergency' as const,
  };
  expect(adviceOf(flags, {}, undefined, language)?.flagDetails).toEqual([
    { code: 'pemphigus_suspected', text: flagText('urgent_by_ai', language), urgency: 'emergency' },
    { code: 'possible_sepsis', text: flagText('possible_sepsis', language), urgency: 'emergency' },
  ]);
});
