import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  RecommendedAction,
  TriageLevel,
  Triage,
} from '../../../../src/domain/intake/triage/triage.schemas.ts';
import { RedFlagUrgency, type RedFlags } from '../../../../src/domain/intake/red-flags/red-flags.schemas.ts';
import { Language } from '../../../../src/contract/language.ts';
import { flagText } from '../../../../src/domain/intake/red-flags/flag-text.ts';
import { actionText } from '../../../../src/domain/intake/triage/action-text.ts';
import { escalateTriage } from '../../../../src/domain/intake/triage/assess-triage.ts';

const routine: Triage = {
  priority: 'routine',
  urgencyScore: 2,
  recommendedAction: 'routine_physician_review',
  reasons: [{ code: 'nothing_urgent_found', text: 'Nothing urgent.' }],
  recommendedActionText: 'In their own words.',
};

const flagged = (urgency: RedFlagUrgency, ...flags: string[]): RedFlags => ({
  hasRedFlags: flags.length > 0,
  flags,
  urgency,
  flagDetails: flags.map((code) => ({ code, text: flagText(code, 'en') ?? code, urgency })),
});

describe('with findings of our own rules the level is never below', () => {
  test('emergency, when a flag is one', () => {
    const { triage, isEscalated } = escalateTriage(routine, flagged('emergency', 'possible_sepsis'), 'en');
    expect(triage).toEqual({
      priority: 'emergency',
      urgencyScore: 10,
      recommendedAction: 'call_emergency_services',
      reasons: [
        { code: 'nothing_urgent_found', text: 'Nothing urgent.' },
        { code: 'possible_sepsis', text: flagText('possible_sepsis', 'en') },
      ],
      recommendedActionText: 'Call the emergency services now.',
    });
    expect(isEscalated).toBe(true);
  });

  test('within 24 hours, when a flag is high', () => {
    const { triage } = escalateTriage(routine, flagged('high', 'angioedema'), 'en');
    expect(triage).toMatchObject({
      priority: 'urgent_24h',
      urgencyScore: 8,
      recommendedAction: 'same_day_medical_review',
    });
  });

  test('two weeks, when a flag is medium', () => {
    const wait: Triage = { ...routine, priority: 'self_care', recommendedAction: 'self_care_advice' };
    const { triage, isEscalated } = escalateTriage(wait, flagged('medium', 'severe_pain'), 'en');
    expect(triage).toMatchObject({
      priority: 'soon_2_weeks',
      urgencyScore: 5,
      recommendedAction: 'physician_review_within_2_weeks',
    });
    expect(isEscalated).toBe(true);
  });

  test('the urgency of the flags, when the AI service advises enough and rates it too low', () => {
    const advised: Triage = { ...routine, recommendedAction: 'call_emergency_services' };
    const { triage, isEscalated } = escalateTriage(advised, flagged('high', 'angioedema'), 'en');
    expect(triage).toMatchObject({ priority: 'urgent_24h', recommendedAction: 'call_emergency_services' });
    expect(isEscalated).toBe(true);
  });

  test('a review on the same day, when the AI service only says within 24 hours', () => {
    const urgent: Triage = {
      ...routine,
      priority: 'urgent_24h',
      urgencyScore: 9,
      recommendedAction: 'physician_review_within_24h',
    };
    const { triage, isEscalated } = escalateTriage(urgent, flagged('high', 'angioedema'), 'en');
    expect(triage).toMatchObject({ urgencyScore: 9, recommendedAction: 'same_day_medical_review' });
    expect(isEscalated).toBe(true);
  });
});

describe('a flag without details is among the reasons', () => {
  const bare = (...flags: string[]): RedFlags => ({ hasRedFlags: true, flags, urgency: 'emergency' });

  test.each(Language.options)('in our words, in %s', (language) => {
    const { triage } = escalateTriage(routine, bare('possible_sepsis', 'theirs_alone'), language);
    expect(triage.priority).toBe('emergency');
    expect(triage.reasons).toEqual([
      ...routine.reasons,
      { code: 'possible_sepsis', text: flagText('possible_sepsis', language) },
      { code: 'theirs_alone', text: flagText('urgent_by_ai', language) },
    ]);
    expect(triage.machineDrafted).toBe(language === 'en' ? undefined : true);
  });

  test('once, and not where the AI service gives it as a reason', () => {
    const own = flagged('high', 'angioedema');
    const flags = { ...own, flags: ['possible_sepsis', ...own.flags] };
    const reasons = [{ code: 'possible_sepsis', text: 'Sepsis.' }];
    const { triage } = escalateTriage({ ...routine, reasons }, flags, 'en');
    expect(triage.reasons).toEqual([...reasons, { code: 'angioedema', text: flagText('angioedema', 'en') }]);
  });
});

test('a triage that is urgent enough stays unchanged, in its own words', () => {
  const emergency: Triage = {
    priority: 'emergency',
    urgencyScore: 10,
    recommendedAction: 'call_emergency_services',
    reasons: [{ code: 'possible_sepsis', text: 'Sepsis.' }],
    recommendedActionText: 'Ring 112.',
    notice: 'No diagnosis.',
    modelVersion: 'v1',
  };
  expect(escalateTriage(emergency, flagged('emergency', 'possible_sepsis'), 'en')).toEqual({
    triage: emergency,
    isEscalated: false,
  });
});

test('advice too weak for its own priority is escalated, also without flags of ours', () => {
  const contradictory: Triage = { ...routine, priority: 'emergency', recommendedAction: 'self_care_advice' };
  expect(escalateTriage(contradictory, flagged('low'), 'en')).toMatchObject({
    triage: {
      recommendedAction: 'call_emergency_services',
      recommendedActionText: 'Call the emergency services now.',
    },
    isEscalated: true,
  });
  const retake: Triage = { ...routine, recommendedAction: 'retake_photos' };
  expect(escalateTriage(retake, flagged('low'), 'en').triage).toEqual(retake);
});

test('without flags of ours nothing changes', () => {
  const least = { ...routine, urgencyScore: 0 };
  for (const fromAi of [routine, least, { ...routine, machineDrafted: true }]) {
    expect(escalateTriage(fromAi, flagged('low'), 'he')).toEqual({ triage: fromAi, isEscalated: false });
  }
});

test('our texts are in the language of the request, and marked when machine-drafted', () => {
  const own = flagged('emergency', 'possible_sepsis');
  const spanish = escalateTriage(routine, own, 'es').triage;
  expect(spanish.recommendedActionText).toBe('Llame ahora a los servicios de emergencia.');
  expect(spanish.machineDrafted).toBe(true);
  expect(escalateTriage(routine, own, 'en').triage).not.toHaveProperty('machineDrafted');
  const { recommendedActionText: _absent, ...wordless } = routine;
  expect(escalateTriage(wordless, flagged('low'), 'ar').triage).toMatchObject({
    recommendedActionText: actionText('routine_physician_review', 'ar'),
    machineDrafted: true,
  });
  // The action stays in the words of the AI service: only the reason is ours.
  const urgent: Triage = { ...routine, recommendedAction: 'call_emergency_services', priority: 'emergency' };
  for (const added of [
    escalateTriage(urgent, own, 'es'),
    escalateTriage({ ...routine, reasons: [] }, flagged('low'), 'es'),
  ]) {
    expect(added.triage.recommendedActionText).toBe(routine.recommendedActionText);
    expect(added.triage.machineDrafted).toBe(true);
  }
});

test('for any reply of the AI service, nothing is lowered or lost', () => {
  const anyTriage = fc.record({
    priority: fc.constantFrom(...TriageLevel.options),
    urgencyScore: fc.double({ min: 0, max: 10, noNaN: true }),
    recommendedAction: fc.constantFrom(...RecommendedAction.options),
    reasons: fc.array(fc.record({ code: fc.constantFrom('a', 'b', 'possible_sepsis'), text: fc.string() })),
  });
  const anyOwn = fc
    .tuple(fc.constantFrom(...RedFlagUrgency.options), fc.subarray(['possible_sepsis', 'angioedema']))
    .map(([urgency, flags]) => flagged(flags.length === 0 ? 'low' : urgency, ...flags));
  fc.assert(
    fc.property(anyTriage, anyOwn, fc.constantFrom(...Language.options), (fromAi, own, language) => {
      const { triage } = escalateTriage(fromAi, own, language);
      expect(Triage.parse(triage)).toEqual(triage);
      const at = (options: readonly string[], value: string) => options.indexOf(value);
      expect(at(TriageLevel.options, triage.priority)).toBeLessThanOrEqual(
        at(TriageLevel.options, fromAi.priority),
      );
      expect(at(RecommendedAction.options, triage.recommendedAction)).toBeLessThanOrEqual(
        at(RecommendedAction.options, fromAi.recommendedAction),
      );
      expect(triage.urgencyScore).toBeGreaterThanOrEqual(fromAi.urgencyScore);
      const inWords = fromAi.reasons.filter(({ text }) => text.trim() !== '');
      expect(triage.reasons.slice(0, inWords.length)).toEqual(inWords);
      expect(triage.reasons.map(({ code }) => code)).toEqual(expect.arrayContaining(own.flags));
      if (own.urgency === 'emergency') expect(triage.priority).toBe('emergency');
      if (own.urgency === 'high') expect(['emergency', 'urgent_24h']).toContain(triage.priority);
    }),
  );
});
