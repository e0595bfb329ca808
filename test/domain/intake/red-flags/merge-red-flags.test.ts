import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeRedFlags } from '../../../../src/domain/intake/red-flags/assess-red-flags.ts';
import { metUrgentFlags } from '../../../../src/domain/cases/record/case-flags.ts';
import {
  compareUrgency,
  type FlagDetail,
  RedFlags,
} from '../../../../src/domain/intake/red-flags/red-flags.schemas.ts';
import { enumerations } from '../anamnesis/manifest.ts';

const none: RedFlags = { hasRedFlags: false, flags: [], urgency: 'low' };
const detail = (code: string, urgency: RedFlags['urgency'], text = `${code}.`) => ({ code, urgency, text });
/** As our own rules give it. */
const ours = (
  code: string,
  urgency: RedFlags['urgency'],
  certainty: 'met' | 'not_excluded' = 'met',
  text = `${code}.`,
) => ({ code, urgency, text, certainty });

test('a flag that the AI service missed is added, and its urgency counts', () => {
  const own: RedFlags = {
    hasRedFlags: true,
    flags: ['possible_sepsis'],
    urgency: 'emergency',
    flagDetails: [detail('possible_sepsis', 'emergency')],
  };
  const fromAi: RedFlags = {
    hasRedFlags: true,
    flags: ['severe_pain'],
    urgency: 'medium',
    flagDetails: [detail('severe_pain', 'medium')],
  };
  expect(mergeRedFlags(fromAi, own)).toEqual({
    redFlags: {
      hasRedFlags: true,
      flags: ['severe_pain', 'possible_sepsis'],
      urgency: 'emergency',
      flagDetails: [detail('severe_pain', 'medium'), detail('possible_sepsis', 'emergency')],
    },
    safetyNet: { added_flags: ['possible_sepsis'], disagreement: true },
  });
});

test('a flag that the AI service missed counts as a disagreement however urgent it is', () => {
  const fromAi: RedFlags = { hasRedFlags: true, flags: ['theirs'], urgency: 'emergency' };
  const own: RedFlags = { hasRedFlags: true, flags: ['severe_pain'], urgency: 'medium' };
  expect(mergeRedFlags(fromAi, own).safetyNet).toEqual({
    added_flags: ['severe_pain'],
    disagreement: true,
  });
});

test('a flag that the AI service names without details, and rates lower than we do, counts as a disagreement', () => {
  const fromAi: RedFlags = { hasRedFlags: true, flags: ['a'], urgency: 'medium' };
  const own: RedFlags = { ...fromAi, urgency: 'high', flagDetails: [ours('a', 'high')] };
  expect(mergeRedFlags(fromAi, own)).toMatchObject({
    redFlags: { urgency: 'high' },
    safetyNet: { added_flags: [], disagreement: true },
  });
});

test('a reply without flags does not suppress ours', () => {
  const own: RedFlags = { hasRedFlags: true, flags: ['erythroderma'], urgency: 'emergency' };
  expect(mergeRedFlags(none, own)).toEqual({
    redFlags: own,
    safetyNet: { added_flags: ['erythroderma'], disagreement: true },
  });
});

test('when both agree nothing is added', () => {
  const same: RedFlags = { hasRedFlags: true, flags: ['erythroderma'], urgency: 'emergency' };
  expect(mergeRedFlags(same, same)).toEqual({
    redFlags: same,
    safetyNet: { added_flags: [], disagreement: false },
  });
  expect(mergeRedFlags(none, none)).toEqual({
    redFlags: none,
    safetyNet: { added_flags: [], disagreement: false },
  });
});

test('a flag that only the AI service raises is kept unchanged', () => {
  const fromAi: RedFlags = {
    hasRedFlags: true,
    flags: ['its_own_flag'],
    urgency: 'high',
    flagDetails: [detail('its_own_flag', 'high', 'In its own words.')],
    notice: 'No diagnosis.',
    modelVersion: 'v1',
  };
  expect(mergeRedFlags(fromAi, none)).toEqual({
    redFlags: fromAi,
    safetyNet: { added_flags: [], disagreement: false },
  });
});

test('the same flag rated lower is raised, in the words of the AI service, and counts as disagreement', () => {
  const fromAi: RedFlags = {
    hasRedFlags: true,
    flags: ['infant_fever_or_blisters', 'possible_sepsis'],
    urgency: 'emergency',
    flagDetails: [
      detail('infant_fever_or_blisters', 'high', 'Theirs.'),
      detail('possible_sepsis', 'emergency', 'Theirs.'),
    ],
  };
  const own: RedFlags = {
    hasRedFlags: true,
    flags: ['infant_fever_or_blisters'],
    urgency: 'emergency',
    flagDetails: [ours('infant_fever_or_blisters', 'emergency', 'met', 'Ours.')],
  };
  expect(mergeRedFlags(fromAi, own)).toEqual({
    redFlags: {
      ...fromAi,
      flagDetails: [
        ours('infant_fever_or_blisters', 'emergency', 'met', 'Theirs.'),
        detail('possible_sepsis', 'emergency', 'Theirs.'),
      ],
    },
    safetyNet: { added_flags: [], disagreement: true },
  });
});

describe('certainty', () => {
  const flagged = (flagDetail: ReturnType<typeof ours>): RedFlags => ({
    hasRedFlags: true,
    flags: [flagDetail.code],
    urgency: flagDetail.urgency,
    flagDetails: [flagDetail],
  });
  const merged = (theirs: ReturnType<typeof ours>, own: ReturnType<typeof ours>) =>
    mergeRedFlags(flagged(theirs), flagged(own)).redFlags.flagDetails;

  test('a flag that our rules meet replaces what the AI service only could not exclude', () => {
    const theirs = ours('a', 'high', 'not_excluded', 'Theirs.');
    expect(merged(theirs, ours('a', 'emergency', 'met', 'Ours.'))).toEqual([
      ours('a', 'emergency', 'met', 'Ours.'),
    ]);
    expect(merged(theirs, ours('a', 'high', 'met', 'Ours.'))).toEqual([ours('a', 'high', 'met', 'Ours.')]);
  });

  test('what the AI service has found stays found, in its words, although our rules only cannot exclude it', () => {
    const theirs = ours('a', 'high', 'met', 'Theirs.');
    expect(merged(theirs, ours('a', 'high', 'not_excluded', 'Ours.'))).toEqual([theirs]);
    expect(merged(theirs, ours('a', 'medium', 'not_excluded', 'Ours.'))).toEqual([theirs]);
  });

  test('a flag that the AI service names without details is found, although our rules only cannot exclude it', () => {
    const fromAi: RedFlags = { hasRedFlags: true, flags: ['b', 'a'], urgency: 'high' };
    const own = flagged(ours('a', 'medium', 'not_excluded', 'a, or not.'));
    const { redFlags } = mergeRedFlags(fromAi, own, (code) => `${code} is found.`);
    expect(redFlags.flagDetails).toEqual([ours('a', 'high', 'met', 'a is found.')]);
    expect(metUrgentFlags(redFlags)).toEqual(['b', 'a']);
    const lower = mergeRedFlags({ ...fromAi, urgency: 'low' }, own, (code) => `${code} is found.`);
    expect(lower.redFlags.flagDetails).toEqual([ours('a', 'medium', 'not_excluded', 'a, or not.')]);
  });

  test('a flag that neither has found stays not_excluded', () => {
    const theirs = ours('a', 'medium', 'not_excluded', 'Theirs.');
    expect(merged(theirs, ours('a', 'high', 'not_excluded', 'Ours.'))).toEqual([
      ours('a', 'high', 'not_excluded', 'Theirs.'),
    ]);
  });
});

test('a contradictory reply of the AI service is read on the safe side', () => {
  expect(mergeRedFlags({ hasRedFlags: false, flags: ['x'], urgency: 'low' }, none).redFlags.hasRedFlags).toBe(
    true,
  );
  expect(mergeRedFlags({ hasRedFlags: true, flags: [], urgency: 'low' }, none).redFlags.hasRedFlags).toBe(
    true,
  );
  const detailsSayMore: RedFlags = {
    hasRedFlags: true,
    flags: ['x'],
    urgency: 'low',
    flagDetails: [detail('x', 'emergency')],
  };
  expect(mergeRedFlags(detailsSayMore, none).redFlags.urgency).toBe('emergency');
});

test('a flag that only the details name counts like any other', () => {
  const fromAi: RedFlags = {
    hasRedFlags: false,
    flags: [],
    urgency: 'low',
    flagDetails: [detail('theirs', 'emergency')],
  };
  expect(mergeRedFlags(fromAi, none).redFlags).toEqual({
    hasRedFlags: true,
    flags: ['theirs'],
    urgency: 'emergency',
    flagDetails: [detail('theirs', 'emergency')],
  });
});

const urgency = fc.constantFrom(...(enumerations['RedFlagUrgency'] as RedFlags['urgency'][]));
const code = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const certainty = fc.constantFrom('met' as const, 'not_excluded' as const);
const redFlagsOf = (detailKeys: ('certainty' | 'code' | 'text' | 'urgency')[]): fc.Arbitrary<RedFlags> =>
  fc.record(
    {
      hasRedFlags: fc.boolean(),
      flags: fc.uniqueArray(code),
      urgency,
      flagDetails: fc.uniqueArray(
        fc.record({ code, text: fc.string(), urgency, certainty }, { requiredKeys: detailKeys }),
        { selector: (item) => item.code },
      ),
    },
    { requiredKeys: ['hasRedFlags', 'flags', 'urgency'] },
  ) as fc.Arbitrary<RedFlags>;
/** A foreign service may know no certainty; our rules always give one. */
const anyRedFlags = redFlagsOf(['code', 'text', 'urgency']);
const anyOwn = redFlagsOf(['code', 'text', 'urgency', 'certainty']);

type Found = Pick<FlagDetail, 'code' | 'urgency'>;
const foundIn = ({ flagDetails = [] }: RedFlags): Found[] =>
  flagDetails.filter(({ certainty }) => certainty !== 'not_excluded');
/** What the AI service names without a detail is found as well; our rules explain every flag. */
const bareIn = ({ flags, urgency, flagDetails = [] }: RedFlags): Found[] =>
  flags.filter((flag) => !flagDetails.some(({ code }) => code === flag)).map((code) => ({ code, urgency }));
const isSame = (a: Found, b: Found) => a.code === b.code && a.urgency === b.urgency;

test('no merge loses or lowers anything, and a second merge changes nothing', () => {
  fc.assert(
    fc.property(anyRedFlags, anyOwn, (fromAi, own) => {
      const { redFlags, safetyNet } = mergeRedFlags(fromAi, own, (code) => `${code} is found.`);
      expect(RedFlags.parse(redFlags)).toEqual(redFlags);
      const named = (side: RedFlags) => [
        ...side.flags,
        ...(side.flagDetails ?? []).map((detail) => detail.code),
      ];
      expect(new Set(redFlags.flags)).toEqual(new Set([...named(fromAi), ...named(own)]));
      for (const side of [fromAi, own]) {
        expect(compareUrgency(redFlags.urgency, side.urgency)).toBeGreaterThanOrEqual(0);
        expect(redFlags.hasRedFlags || !side.hasRedFlags || side === own).toBe(true);
        for (const { code, urgency } of side.flagDetails ?? []) {
          const merged = redFlags.flagDetails?.find((item) => item.code === code);
          expect(compareUrgency(merged?.urgency ?? 'low', urgency)).toBeGreaterThanOrEqual(0);
        }
      }
      for (const item of redFlags.flagDetails ?? []) {
        const found = [...foundIn(fromAi), ...bareIn(fromAi), ...foundIn(own)];
        if (found.some((one) => isSame(one, item))) expect(item.certainty).not.toBe('not_excluded');
      }
      const added = new Set(named(own).filter((flag) => !named(fromAi).includes(flag)));
      expect(new Set(safetyNet.added_flags)).toEqual(added);
      const again = mergeRedFlags(redFlags, own, (code) => `${code} is found.`);
      expect(again).toEqual({ redFlags, safetyNet: { added_flags: [], disagreement: false } });
    }),
  );
});
