import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import {
  RecommendedAction,
  TriageLevel,
  Triage,
} from '../../../../src/domain/intake/triage/triage.schemas.ts';
import {
  RedFlagUrgency,
  compareUrgency,
  RedFlags,
} from '../../../../src/domain/intake/red-flags/red-flags.schemas.ts';
import { Language } from '../../../../src/contract/language.ts';
import { evaluateRedFlags } from '../../../../src/domain/intake/red-flags/evaluate-red-flags.ts';
import { flagText } from '../../../../src/domain/intake/red-flags/flag-text.ts';
import { assessRedFlags } from '../../../../src/domain/intake/red-flags/assess-red-flags.ts';
import { actionText } from '../../../../src/domain/intake/triage/action-text.ts';
import { assessTriage, triageFloor } from '../../../../src/domain/intake/triage/assess-triage.ts';
import { metUrgentFlags } from '../../../../src/domain/cases/record/case-flags.ts';
import { anyPartialAnamnesis } from '../anamnesis/arbitraries.ts';

const noFlags: RedFlags = { hasRedFlags: false, flags: [], urgency: 'low' };
const triageOf = (priority: TriageLevel, reasons: Triage['reasons'] = []): Triage => ({
  priority,
  urgencyScore: 3,
  recommendedAction: 'routine_physician_review',
  reasons,
});

describe('an urgent level that only the AI service gives', () => {
  test.each([
    ['emergency', 'emergency'],
    ['urgent_24h', 'high'],
  ] as const)('%s is a flag of its own', (level, urgency) => {
    const { redFlags, safetyNet } = assessRedFlags({ redFlags: noFlags, triage: triageOf(level) }, {}, 'en');
    expect(redFlags).toMatchObject({
      hasRedFlags: true,
      flags: ['urgent_by_ai'],
      urgency,
      flagDetails: [
        { code: 'urgent_by_ai', urgency, text: flagText('urgent_by_ai', 'en'), certainty: 'met' },
      ],
    });
    expect(safetyNet).toEqual({ added_flags: [], disagreement: false });
  });

  test('is none where the AI service is not asked for flags and gives no level', () => {
    const { redFlags, safetyNet } = assessRedFlags({ redFlags: undefined, triage: undefined }, {}, 'en');
    expect(redFlags).toEqual(noFlags);
    expect(safetyNet).toEqual({ added_flags: [], disagreement: false });
  });

  test('is explained by a flag that our own rules meet, and by a less urgent reply that has one as urgent', () => {
    const breathless: PartialAnamnesis = { symptoms: { emergency: ['difficulty_breathing'] } };
    const own = evaluateRedFlags(breathless);
    const ours = assessRedFlags({ redFlags: noFlags, triage: triageOf('emergency') }, breathless, 'en');
    expect(ours.redFlags.flags).toEqual(own.flags);
    const flagDetails = [{ code: 'x', text: 'Theirs.', urgency: 'high' as const }];
    const redFlags: RedFlags = { hasRedFlags: true, flags: ['x', 'bare'], urgency: 'low', flagDetails };
    const theirs = assessRedFlags({ redFlags, triage: triageOf('urgent_24h') }, {}, 'en').redFlags;
    expect([theirs.flags, theirs.urgency]).toEqual([['x', 'bare'], 'high']);
  });

  test('lowers nothing of ours, and leaves what the AI service adds', () => {
    const wheals: PartialAnamnesis = {
      lesion: { lesionTypes: ['wheal'] },
      symptoms: { emergency: ['none'] },
    };
    const own = evaluateRedFlags(wheals);
    expect(own).toMatchObject({ urgency: 'high', flagDetails: [{ certainty: 'not_excluded' }] });
    const fromAi: RedFlags = { ...noFlags, urgency: 'medium', notice: 'No diagnosis.', modelVersion: 'v1' };
    expect(assessRedFlags({ redFlags: fromAi, triage: undefined }, wheals, 'en').redFlags).toMatchObject({
      flags: ['urgent_by_ai', ...own.flags],
      urgency: 'high',
      notice: 'No diagnosis.',
      modelVersion: 'v1',
    });
  });

  test('is among the reasons of the level, also when only triage is requested', () => {
    const { triage } = assessTriage({ redFlags: undefined, triage: triageOf('urgent_24h') }, {}, 'he');
    expect(triage.reasons).toEqual([{ code: 'urgent_by_ai', text: flagText('urgent_by_ai', 'he') }]);
  });

  test('needs no flag of its own beside one as urgent', () => {
    const redFlags: RedFlags = { hasRedFlags: true, flags: ['x'], urgency: 'high' };
    const assessed = assessRedFlags({ redFlags, triage: triageOf('urgent_24h') }, {}, 'en').redFlags;
    expect(assessed.flags).toEqual(['x']);
    const above = assessRedFlags({ redFlags, triage: triageOf('emergency') }, {}, 'en').redFlags;
    expect([above.flags, above.urgency]).toEqual([['urgent_by_ai', 'x'], 'emergency']);
  });

  describe('beside a flag that our own rules only cannot exclude', () => {
    const sickWithWheals: PartialAnamnesis = {
      complaint: { duration: 'less_than_one_week' },
      lesion: { lesionTypes: ['wheal'] },
      symptoms: { emergency: ['none'], systemic: ['vomiting'] },
    };
    const own = evaluateRedFlags(sickWithWheals);
    const assess = (redFlags: RedFlags, level: TriageLevel) =>
      assessRedFlags({ redFlags, triage: triageOf(level) }, sickWithWheals, 'en').redFlags;

    test('is a flag of its own, so that the case has an urgent flag', () => {
      expect(own).toMatchObject({ urgency: 'high', flagDetails: [{ certainty: 'not_excluded' }] });
      const flags = assess(noFlags, 'urgent_24h');
      expect(flags).toMatchObject({ flags: ['urgent_by_ai', ...own.flags], urgency: 'high' });
      expect(metUrgentFlags(flags)).toEqual(['urgent_by_ai']);
    });

    test('is explained by it where the AI service reports it as well', () => {
      const flags = assess(own, 'urgent_24h');
      expect(flags.flags).toEqual(own.flags);
      expect(metUrgentFlags(flags)).toEqual([]);
    });

    test('is a flag of its own where the AI service reports it as less urgent than its level', () => {
      const flagDetails = own.flagDetails.map((detail) => ({ ...detail, urgency: 'medium' as const }));
      expect(metUrgentFlags(assess({ ...own, urgency: 'medium', flagDetails }, 'urgent_24h'))).toEqual([
        'urgent_by_ai',
      ]);
    });
  });

  test.each(['soon_2_weeks', 'routine', 'self_care'] as const)('%s is none', (level) => {
    expect(assessRedFlags({ redFlags: noFlags, triage: triageOf(level) }, {}, 'en').redFlags.flags).toEqual(
      [],
    );
  });

  test.each(['medium', 'high', 'emergency'] as const)(
    '%s without any flag is explained by one',
    (urgency) => {
      const bare: RedFlags = { hasRedFlags: false, flags: [], urgency };
      expect(assessRedFlags({ redFlags: bare, triage: undefined }, {}, 'en').redFlags).toMatchObject({
        hasRedFlags: true,
        flags: ['urgent_by_ai'],
        urgency,
      });
    },
  );
});

describe('a flag that the AI service reports without naming it', () => {
  const unnamed: RedFlags = { hasRedFlags: true, flags: [], urgency: 'low' };
  const medium: PartialAnamnesis = { lesion: { lesionTypes: ['macule'], colors: ['black'] } };

  test.each([
    ['low', 'high', 'urgent_24h'],
    ['medium', 'high', 'urgent_24h'],
    ['emergency', 'emergency', 'emergency'],
  ] as const)('%s counts as %s, and its level is %s', (reported, urgency, level) => {
    const redFlags = { ...unnamed, urgency: reported };
    expect(assessRedFlags({ redFlags, triage: triageOf('routine') }, {}, 'en').redFlags).toMatchObject({
      hasRedFlags: true,
      flags: ['urgent_by_ai'],
      urgency,
      flagDetails: [{ code: 'urgent_by_ai', urgency, certainty: 'met' }],
    });
    const { triage } = assessTriage({ redFlags, triage: triageOf('routine') }, {}, 'en');
    expect(triage.priority).toBe(level);
  });

  test('does not hide behind a less urgent flag of our own rules', () => {
    const own = evaluateRedFlags(medium);
    expect(own).toMatchObject({ hasRedFlags: true, urgency: 'medium' });
    const { redFlags } = assessRedFlags({ redFlags: unnamed, triage: undefined }, medium, 'en');
    expect(redFlags).toMatchObject({ flags: ['urgent_by_ai', ...own.flags], urgency: 'high' });
  });

  test.each<[string, RedFlags]>([
    ['the only flag', { ...unnamed, flags: [''] }],
    ['beside another', { ...unnamed, flags: [' ', 'x'] }],
    ['in the details', { ...unnamed, flagDetails: [{ code: '', text: 'Theirs.', urgency: 'low' }] }],
  ])('counts as one where its name is empty: %s', (_name, redFlags) => {
    const flags = assessRedFlags({ redFlags, triage: undefined }, {}, 'en').redFlags;
    expect(flags).toMatchObject({
      urgency: 'high',
      flagDetails: [{ code: 'urgent_by_ai', urgency: 'high' }],
    });
    expect(flags.flags).toEqual(['urgent_by_ai', ...redFlags.flags.filter((code) => code === 'x')]);
  });

  test('counts with the urgency of its own details', () => {
    const flagDetails = [{ code: ' ', text: 'Theirs.', urgency: 'emergency' as const }];
    const { redFlags } = assessRedFlags(
      { redFlags: { ...unnamed, flagDetails }, triage: undefined },
      {},
      'en',
    );
    expect(redFlags).toMatchObject({ flags: ['urgent_by_ai'], urgency: 'emergency' });
  });

  test('is named where only its details are', () => {
    const detail = { code: 'theirs', text: 'Theirs.', urgency: 'medium' as const };
    const redFlags = { ...unnamed, flagDetails: [detail] };
    expect(assessRedFlags({ redFlags, triage: undefined }, {}, 'en').redFlags).toMatchObject({
      flags: ['theirs'],
      urgency: 'medium',
    });
  });
});

describe('a reply of the AI service whose parts differ in urgency', () => {
  const detail = (code: string, urgency: RedFlagUrgency) => ({ code, text: `${code} ${urgency}.`, urgency });
  const assess = (...flagDetails: ReturnType<typeof detail>[]) => {
    const redFlags: RedFlags = { hasRedFlags: true, flags: ['x'], urgency: 'high', flagDetails };
    return assessRedFlags({ redFlags, triage: undefined }, {}, 'en').redFlags;
  };

  test('has an urgent flag where only the whole is urgent', () => {
    const flags = assess(detail('x', 'medium'));
    expect(flags).toMatchObject({ flags: ['urgent_by_ai', 'x'], urgency: 'high' });
    expect(metUrgentFlags(flags)).toEqual(['urgent_by_ai']);
  });

  test('has the most urgent of the details of a flag', () => {
    for (const details of [
      [detail('x', 'high'), detail('x', 'low')],
      [detail('x', 'low'), detail('x', 'high')],
    ]) {
      const flags = assess(...details);
      expect(flags.flagDetails).toEqual([{ ...detail('x', 'high'), certainty: 'met' }]);
      expect(metUrgentFlags(flags)).toEqual(['x']);
    }
  });

  test('names urgent_by_ai once, as urgent as required, where the AI service uses that code itself', () => {
    const flags = assess(detail('urgent_by_ai', 'low'), detail('x', 'low'));
    expect(flags.flagDetails?.map(({ code, urgency }) => [code, urgency])).toEqual([
      ['urgent_by_ai', 'high'],
      ['x', 'low'],
    ]);
    expect(metUrgentFlags(flags)).toEqual(['urgent_by_ai']);
  });
});

test('flags however many and in however many words are reasons of a valid triage', () => {
  const flags = Array.from({ length: 300 }, (_, index) => `${'x'.repeat(150)}_${index}`);
  const redFlags: RedFlags = {
    hasRedFlags: true,
    flags,
    urgency: 'emergency',
    flagDetails: flags.map((code) => ({ code, text: 'Go now. '.repeat(300), urgency: 'emergency' })),
  };
  const { triage } = assessTriage({ redFlags, triage: triageOf('routine') }, {}, 'en');
  expect(Triage.parse(triage)).toMatchObject({ priority: 'emergency' });
  expect(triage.reasons).toHaveLength(300);
});

test('what the AI service leaves without words has ours: a flag, a reason and an action', () => {
  const blank = (code: string) => ({ code, text: ' ', urgency: 'high' as const });
  const codes = ['possible_sepsis', 'theirs'];
  const redFlags: RedFlags = { ...noFlags, hasRedFlags: true, flags: codes, flagDetails: codes.map(blank) };
  const words = ['possible_sepsis', 'urgent_by_ai'] as const;
  const texts = words.map((code) => flagText(code, 'he'));
  const flags = assessRedFlags({ redFlags, triage: undefined }, {}, 'he').redFlags;
  expect(flags.flagDetails?.map(({ text }) => text)).toEqual(texts);
  const wordless = { ...triageOf('urgent_24h', [{ code: 'x', text: '' }]), recommendedActionText: ' ' };
  const { triage } = assessTriage({ redFlags, triage: wordless }, {}, 'he');
  expect(triage.reasons.map(({ text }) => text)).toEqual(texts);
  expect(triage.recommendedActionText).toBe(actionText(triage.recommendedAction, 'he'));
  const calm = assessTriage(
    { redFlags: noFlags, triage: { ...wordless, priority: 'routine' } },
    {},
    'he',
  ).triage;
  expect(calm.reasons).toMatchObject([{ code: 'assessed_by_ai' }]);
  expect(calm.recommendedActionText).toBe(actionText(calm.recommendedAction, 'he'));
});

test('a level without flags and without reasons of the AI service gets a reason', () => {
  const { triage } = assessTriage({ redFlags: noFlags, triage: triageOf('routine') }, {}, 'en');
  expect(triage.reasons).toMatchObject([{ code: 'assessed_by_ai', text: expect.stringMatching(/\S/) }]);
});

test('a flag counts as added unless it is among the reasons of the AI service', () => {
  const breathless: PartialAnamnesis = { symptoms: { emergency: ['difficulty_breathing'] } };
  const reason = (code: string) => ({ code, text: 'Theirs.' });
  const safetyNetOf = (...reasons: Triage['reasons']) =>
    assessTriage({ redFlags: noFlags, triage: triageOf('routine', reasons) }, breathless, 'en').safetyNet;
  expect(safetyNetOf(reason('x'))).toEqual({ added_flags: ['airway_or_breathing'], disagreement: true });
  expect(safetyNetOf(reason('x'), reason('airway_or_breathing'))).toEqual({
    added_flags: [],
    disagreement: true,
  });
  const agreed = assessTriage({ redFlags: noFlags, triage: triageOf('routine', [reason('x')]) }, {}, 'en');
  expect(agreed.safetyNet).toEqual({ added_flags: [], disagreement: false });
});

test('a rule that could not be ruled out escalates the level, and names what is not known', () => {
  const wheals: PartialAnamnesis = { lesion: { lesionTypes: ['wheal'] }, symptoms: { emergency: ['none'] } };
  const open = evaluateRedFlags(wheals).flagDetails.filter(({ certainty }) => certainty === 'not_excluded');
  expect(open.length).toBeGreaterThan(0);
  const { triage } = assessTriage({ redFlags: noFlags, triage: triageOf('self_care') }, wheals, 'en');
  expect(['urgent_24h', 'soon_2_weeks']).toContain(triage.priority);
  for (const { code, text } of open) expect(triage.reasons).toContainEqual({ code, text });
});

describe('for any reply of the AI service to any answers', () => {
  const code = fc.constantFrom('theirs', 'possible_sepsis', 'severe_pain', 'urgent_by_ai', '');
  const urgency = fc.constantFrom(...RedFlagUrgency.options);
  const anyRedFlags: fc.Arbitrary<RedFlags> = fc.record(
    {
      hasRedFlags: fc.boolean(),
      flags: fc.uniqueArray(code),
      urgency,
      flagDetails: fc.uniqueArray(fc.record({ code, text: fc.string(), urgency }), {
        selector: (item) => item.code,
      }),
    },
    { requiredKeys: ['hasRedFlags', 'flags', 'urgency'] },
  );
  const anyTriage: fc.Arbitrary<Triage> = fc.record({
    priority: fc.constantFrom(...TriageLevel.options),
    urgencyScore: fc.double({ min: 0, max: 10, noNaN: true }),
    recommendedAction: fc.constantFrom(...RecommendedAction.options),
    reasons: fc.array(fc.record({ code, text: fc.string() }), { maxLength: 3 }),
  });
  const rank = (level: TriageLevel) => TriageLevel.options.indexOf(level);

  test('flags and level never contradict each other, requested together or separately', () => {
    fc.assert(
      fc.property(
        fc.option(anyRedFlags, { nil: undefined }),
        anyTriage,
        anyPartialAnamnesis,
        fc.constantFrom(...Language.options),
        (fromAi, theirs, answers, language) => {
          const anamnesis = answers as PartialAnamnesis;
          const { redFlags } = assessRedFlags({ redFlags: fromAi, triage: theirs }, anamnesis, language);
          const { triage } = assessTriage({ redFlags: fromAi, triage: theirs }, anamnesis, language);
          expect(RedFlags.parse(redFlags)).toEqual(redFlags);
          expect(Triage.parse(triage)).toEqual(triage);

          expect(redFlags.hasRedFlags).toBe(redFlags.flags.length > 0);
          for (const detail of redFlags.flagDetails ?? []) {
            expect(compareUrgency(redFlags.urgency, detail.urgency)).toBeGreaterThanOrEqual(0);
            expect(detail.certainty).toBeDefined();
          }
          const floor = triageFloor(redFlags.urgency);
          if (redFlags.flags.length > 0 && floor !== undefined) {
            expect(rank(triage.priority)).toBeLessThanOrEqual(rank(floor.priority));
          }
          if (rank(triage.priority) <= rank('urgent_24h')) expect(redFlags.hasRedFlags).toBe(true);
          expect(rank(triage.priority)).toBeLessThanOrEqual(rank(theirs.priority));
          expect(triage.urgencyScore).toBeGreaterThanOrEqual(theirs.urgencyScore);
          expect(triage.reasons.length).toBeGreaterThan(0);
          const reasons = triage.reasons.map((reason) => reason.code);
          expect(reasons).toEqual(expect.arrayContaining(redFlags.flags));
          for (const detail of evaluateRedFlags(anamnesis).flagDetails) {
            expect(redFlags.flags).toContain(detail.code);
            expect(reasons).toContain(detail.code);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
