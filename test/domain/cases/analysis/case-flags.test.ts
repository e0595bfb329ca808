import { describe, expect, test } from 'vitest';
import {
  addFlags,
  type CaseFlags,
  flagCodes,
  hasGrown,
  metUrgentFlags,
} from '../../../../src/domain/cases/analysis/case-flags.ts';
import type {
  FlagDetail,
  RedFlagUrgency,
} from '../../../../src/domain/intake/red-flags/red-flags.schemas.ts';

const none: CaseFlags = { redFlags: [], urgentFlags: [], urgency: null, triageLevel: null };
const detail = (code: string, urgency: RedFlagUrgency, certainty?: FlagDetail['certainty']): FlagDetail => ({
  code,
  text: code,
  urgency,
  certainty,
});
const assessment = (...flagDetails: FlagDetail[]) => ({
  flags: flagDetails.map(({ code }) => code),
  urgency: flagDetails[0]?.urgency ?? 'low',
  flagDetails,
});
const sepsis = detail('possible_sepsis', 'emergency', 'met');
const zoster = detail('ophthalmic_zoster', 'high', 'met');
const perhapsSepsis = detail('possible_sepsis', 'high', 'not_excluded');

test('the level is at least what the flags require', () => {
  expect(addFlags(none, assessment(sepsis))).toMatchObject({
    urgency: 'emergency',
    triageLevel: 'emergency',
  });
  expect(addFlags(none, assessment(zoster), 'self_care')).toMatchObject({ triageLevel: 'urgent_24h' });
  expect(addFlags(none, assessment(), 'routine')).toMatchObject({ urgency: 'low', triageLevel: 'routine' });
  expect(addFlags(none, assessment())).toMatchObject({ triageLevel: null });
});

describe('a record only grows', () => {
  const first = addFlags(none, assessment(sepsis));

  test('when a later analysis finds nothing', () => {
    expect(addFlags(first, assessment(), 'self_care')).toEqual(first);
  });

  test('when a later analysis finds something else', () => {
    expect(addFlags(first, assessment(zoster), 'urgent_24h')).toEqual({
      redFlags: ['possible_sepsis', 'ophthalmic_zoster'],
      urgentFlags: ['possible_sepsis', 'ophthalmic_zoster'],
      urgency: 'emergency',
      triageLevel: 'emergency',
    });
  });

  test('when it has a level without flags, and a later analysis gives a lower one', () => {
    const level = addFlags(none, assessment(), 'urgent_24h');
    expect(addFlags(level, assessment(), 'routine')).toEqual(level);
  });

  test('by each of its members', () => {
    const grown: Partial<CaseFlags>[] = [
      { redFlags: ['possible_sepsis', 'x'] },
      { urgentFlags: ['possible_sepsis', 'x'] },
      { urgency: 'high' },
      { triageLevel: 'urgent_24h' },
    ];
    for (const member of grown) expect(hasGrown({ ...first, ...member }, first)).toBe(true);
    expect(hasGrown({ ...first }, first)).toBe(false);
  });

  test('when what was met is now only not excluded', () => {
    expect(addFlags(first, assessment(perhapsSepsis))).toEqual(first);
  });
});

test('only flags that are met and of high or emergency urgency override', () => {
  const details = [sepsis, zoster, detail('x', 'high', 'not_excluded'), detail('y', 'medium', 'met')];
  expect(metUrgentFlags(assessment(...details))).toEqual(['possible_sepsis', 'ophthalmic_zoster']);
});

test('an event names at most 50 codes, and no free text', () => {
  const codes = Array.from({ length: 51 }, (_, index) => `flag_${index}`);
  expect(flagCodes(codes)).toEqual(codes.slice(0, 50));
  const texts = ['Ruth Cohen', 'x'.repeat(65), '', 'a\nb', 'A'];
  expect(flagCodes([...texts, 'possible_sepsis', 'x'.repeat(64)])).toEqual([
    'possible_sepsis',
    'x'.repeat(64),
  ]);
});

test('a flag of the AI service without a word about its certainty is one that it has found', () => {
  expect(metUrgentFlags(assessment(detail('new_one', 'high')))).toEqual(['new_one']);
  expect(metUrgentFlags({ flags: ['bare'], urgency: 'emergency' })).toEqual(['bare']);
  expect(metUrgentFlags({ flags: ['bare'], urgency: 'medium' })).toEqual([]);
});
