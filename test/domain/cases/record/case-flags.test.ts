import { describe, expect, test } from 'vitest';
import {
  addFlags,
  type CaseFlags,
  flagCodes,
  flagColumns,
  flagsOf,
  hasGrown,
  isMoreDangerous,
  metUrgentFlags,
} from '../../../../src/domain/cases/record/case-flags.ts';
import { awaitsAnalysis } from '../../../../src/domain/cases/record/case-status.ts';
import { correctTriage } from '../../../../src/domain/desk/handling/correct-triage.ts';
import type { Staff } from '../../../../src/domain/identity/groups/staff.ts';
import type { TriageLevel } from '../../../../src/domain/intake/triage/triage.schemas.ts';
import { Problem } from '../../../../src/contract/problem.ts';
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

describe('the level that staff give', () => {
  const medium: CaseFlags = { ...none, redFlags: ['x'], urgency: 'medium', triageLevel: 'urgent_24h' };
  const plain: CaseFlags = { ...none, triageLevel: 'urgent_24h' };
  const [may, mayNot] = [['triage.lower'], []].map(
    (capabilities) => ({ capabilities: new Set(capabilities) }) as unknown as Staff,
  ) as [Staff, Staff];

  test.each<[string, Staff, CaseFlags, TriageLevel | undefined, string | undefined, string | null]>([
    ['stays without a wish', mayNot, medium, undefined, undefined, 'urgent_24h'],
    ['stays unknown without a wish', mayNot, none, undefined, undefined, null],
    ['rises freely', mayNot, medium, 'emergency', undefined, 'emergency'],
    ['may be the same', mayNot, medium, 'urgent_24h', undefined, 'urgent_24h'],
    ['begins freely', mayNot, none, 'routine', undefined, 'routine'],
    ['is lowered with capability and reason', may, plain, 'self_care', 'misread', 'self_care'],
    ['is lowered to what the flags require', may, medium, 'soon_2_weeks', 'misread', 'soon_2_weeks'],
    ['is not lowered below the flags', may, medium, 'routine', 'misread', 'below_red_flags'],
    ['is not lowered without the capability', mayNot, plain, 'routine', 'misread', 'capability_required'],
    ['is not lowered without a reason', may, plain, 'routine', undefined, 'required'],
  ])('%s', (_, staff, flags, wanted, reason, expected) => {
    try {
      const given = { triage_level: wanted, triage_reason: reason };
      expect(correctTriage(staff, flags, given)).toBe(expected);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const [refused] = error.errors ?? [];
      expect(refused?.code ?? error.code).toBe(expected);
    }
  });
});

test('a danger is new with another urgent flag, or with the first emergency', () => {
  const record = { urgent_flags: ['x'], urgency: 'high' as const };
  const found: CaseFlags = { ...none, urgentFlags: ['x'], urgency: 'high' };
  expect(isMoreDangerous(found, record)).toBe(false);
  expect(isMoreDangerous({ ...found, urgentFlags: ['x', 'y'] }, record)).toBe(true);
  expect(isMoreDangerous({ ...found, urgency: 'emergency' }, record)).toBe(true);
  expect(isMoreDangerous({ ...found, urgency: 'emergency' }, { ...record, urgency: 'emergency' })).toBe(
    false,
  );
});

test('a case waits for its analysis while it is submitted, or on hold with a reply', () => {
  const waits = (
    status: 'submitted' | 'on_hold' | 'draft' | 'queued',
    state: 'pending' | 'done' = 'pending',
  ) => awaitsAnalysis({ status, analysis_state: state });
  expect([waits('submitted'), waits('on_hold'), waits('draft'), waits('queued')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(waits('submitted', 'done')).toBe(false);
});

test('a record has its flags in columns, and reads them back', () => {
  const flags = addFlags(none, assessment(zoster));
  expect(flagColumns(flags)).toEqual({
    red_flags: ['ophthalmic_zoster'],
    has_red_flags: true,
    urgent_flags: ['ophthalmic_zoster'],
    urgency: 'high',
    triage_level: 'urgent_24h',
    triage_rank: 1,
  });
  expect(flagColumns(none)).toMatchObject({ has_red_flags: false, triage_level: null, triage_rank: null });
  expect(flagsOf(flagColumns(flags))).toEqual(flags);
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
