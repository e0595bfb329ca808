import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../support/app.ts';
import { GOOD_REPLIES, hang, json, text } from '../../support/fake-ai.ts';
import { asker, complete, emergency, recordedCalls, recordedEvents, urgent } from './ai-requests.ts';

// A red flag is never lost: what our own rules find is added to what the AI service says. Under
// POST /api/diagnosis: ../diagnosis/create-diagnosis.test.ts; the rules themselves: test/domain/intake/red-flags.

const app = await testApp();
const ask = await asker(app);
beforeEach(() => app.ai.reset());

const allClear = GOOD_REPLIES.triage;

describe('red flags', () => {
  test('that the AI service misses are added, and the disagreement is recorded', async () => {
    const answer = await ask('red_flags', { json: emergency });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        hasRedFlags: true,
        flags: ['airway_or_breathing'],
        urgency: 'emergency',
        flagDetails: [{ code: 'airway_or_breathing', urgency: 'emergency' }],
      },
    });
    expect(await recordedCalls(app, answer.id)).toMatchObject([
      {
        kind: 'red_flags',
        outcome: 'ok',
        safety_net: { added_flags: ['airway_or_breathing'], disagreement: true },
      },
    ]);
    expect(await recordedEvents(app, answer.id)).toMatchObject([
      { outcome: 'success', detail: { outcome: 'ok', added_flags: ['airway_or_breathing'] } },
    ]);
  });

  test('of the AI service are kept beside ours, in its words, with the higher urgency of both', async () => {
    const theirs = { code: 'airway_or_breathing', text: 'Their words.', urgency: 'medium' };
    app.ai.on(
      'red_flags',
      json({
        hasRedFlags: true,
        flags: ['something_of_theirs', 'airway_or_breathing'],
        urgency: 'medium',
        flagDetails: [theirs],
      }),
    );
    const answer = await ask('red_flags', { json: emergency });
    expect(answer.body).toEqual({
      hasRedFlags: true,
      flags: ['something_of_theirs', 'airway_or_breathing'],
      urgency: 'emergency',
      flagDetails: [{ ...theirs, urgency: 'emergency', certainty: 'met' }],
      emergencyNumber: '112',
    });
    expect(await recordedCalls(app, answer.id)).toMatchObject([
      { safety_net: { added_flags: [], disagreement: true } },
    ]);
  });

  test('are never removed when our own rules find nothing', async () => {
    const theirs = { hasRedFlags: true, flags: ['possible_sepsis'], urgency: 'emergency' };
    app.ai.on('red_flags', json(theirs));
    const answer = await ask('red_flags', { json: complete });
    expect(answer.body).toEqual({ ...theirs, emergencyNumber: '112' });
    expect(await recordedCalls(app, answer.id)).toMatchObject([
      { safety_net: { added_flags: [], disagreement: false } },
    ]);
    expect((await recordedEvents(app, answer.id))[0]?.['detail']).toEqual({ outcome: 'ok' });
  });

  test('are absent when neither side raises any', async () => {
    const answer = await ask('red_flags', { json: complete });
    expect(answer.body).toEqual({
      hasRedFlags: false,
      flags: [],
      urgency: 'low',
      emergencyNumber: '112',
    });
  });

  test('of our rules are in the language of the request', async () => {
    const texts = await Promise.all(
      ['en', 'he', 'ar', 'es'].map(async (lang) => {
        const { body } = await ask('red_flags', { json: emergency, query: `?lang=${lang}` });
        return (body['flagDetails'] as { text: string }[])[0]?.text ?? '';
      }),
    );
    expect(new Set(texts).size).toBe(4);
    expect(texts[1]).toMatch(/\p{Script=Hebrew}/u);
    expect(texts[2]).toMatch(/\p{Script=Arabic}/u);
  });
});

describe('triage', () => {
  test('is an emergency when our own rules find one, regardless of the AI service', async () => {
    app.ai.on(
      'triage',
      json({ ...allClear, priority: 'self_care', urgencyScore: 0, recommendedAction: 'self_care_advice' }),
    );
    const answer = await ask('triage', { json: emergency });
    expect(answer).toMatchObject({
      status: 200,
      body: { priority: 'emergency', urgencyScore: 10, recommendedAction: 'call_emergency_services' },
    });
    expect(answer.body['reasons']).toMatchObject([{ code: 'airway_or_breathing' }]);
    expect(await recordedCalls(app, answer.id)).toMatchObject([
      { kind: 'triage', safety_net: { added_flags: ['airway_or_breathing'], disagreement: true } },
    ]);
    expect(await recordedEvents(app, answer.id)).toMatchObject([
      { detail: { outcome: 'ok', added_flags: ['airway_or_breathing'] } },
    ]);
  });

  test('is at least urgent_24h when our own rules find a high flag', async () => {
    app.ai.on('triage', json(allClear));
    const { body } = await ask('triage', { json: urgent });
    expect(body).toMatchObject({ priority: 'urgent_24h', recommendedAction: 'same_day_medical_review' });
    expect(body['urgencyScore']).toBeGreaterThanOrEqual(8);
    expect((body['reasons'] as { code: string }[]).map(({ code }) => code)).toContain('ophthalmic_zoster');
  });

  test('is recorded with the flags that only our own rules raise, however many and long those of the AI service are', async () => {
    const flags = Array.from({ length: 300 }, (_, index) => `${'x'.repeat(145)}_${index}`);
    const flagDetails = flags.map((code) => ({ code, text: 'Theirs.', urgency: 'emergency' }));
    app.ai.on('red_flags', json({ hasRedFlags: true, flags, urgency: 'emergency', flagDetails }));
    app.ai.on('triage', json(allClear));
    const theirs = await ask('triage', { json: complete });
    expect(theirs).toMatchObject({ status: 200, body: { priority: 'emergency' } });
    expect(await recordedCalls(app, theirs.id)).toMatchObject([
      { outcome: 'ok', safety_net: { added_flags: [], disagreement: true } },
    ]);
    expect(await recordedEvents(app, theirs.id)).toMatchObject([
      { detail: { outcome: 'ok', added_flags: [] } },
    ]);
    const both = await ask('triage', { json: emergency });
    expect(await recordedCalls(app, both.id)).toMatchObject([
      { safety_net: { added_flags: ['airway_or_breathing'], disagreement: true } },
    ]);
  });

  test('counts as flagged by the AI service what its reasons name', async () => {
    app.ai.on('triage', json({ ...allClear, reasons: [{ code: 'airway_or_breathing', text: 'Theirs.' }] }));
    const { id } = await ask('triage', { json: emergency });
    expect(await recordedCalls(app, id)).toMatchObject([
      { safety_net: { added_flags: [], disagreement: true } },
    ]);
  });

  test('is never lowered', async () => {
    const theirs = {
      priority: 'emergency',
      urgencyScore: 10,
      recommendedAction: 'call_emergency_services',
      reasons: [{ code: 'possible_sepsis', text: 'Their words.' }],
      recommendedActionText: 'Call now.',
    };
    app.ai.on('triage', json(theirs));
    expect((await ask('triage', { json: urgent })).body).toMatchObject({
      ...theirs,
      reasons: expect.arrayContaining([
        ...theirs.reasons,
        expect.objectContaining({ code: 'ophthalmic_zoster' }),
      ]),
    });
    app.ai.on('red_flags', json({ hasRedFlags: true, flags: ['possible_sepsis'], urgency: 'emergency' }));
    const agreed = await ask('triage', { json: complete });
    expect(agreed.body).toEqual({ ...theirs, emergencyNumber: '112' });
    expect(await recordedCalls(app, agreed.id)).toMatchObject([
      { safety_net: { added_flags: [], disagreement: false } },
    ]);
  });
});

describe('flags and level requested separately never contradict each other', () => {
  const urgentLevel = {
    priority: 'urgent_24h',
    urgencyScore: 8.5,
    recommendedAction: 'physician_review_within_24h',
    reasons: [{ code: 'model', text: 'Their words.' }],
  };

  test('a level of 24 hours that only the AI service gives is a flag', async () => {
    app.ai.on('triage', json(urgentLevel));
    const flags = await ask('red_flags', { json: complete });
    expect(flags.body).toMatchObject({
      hasRedFlags: true,
      flags: ['urgent_by_ai'],
      urgency: 'high',
      flagDetails: [{ code: 'urgent_by_ai', urgency: 'high', certainty: 'met' }],
    });
    const triage = await ask('triage', { json: complete });
    expect(triage.body).toMatchObject({
      priority: 'urgent_24h',
      reasons: [{ code: 'model' }, { code: 'urgent_by_ai' }],
    });
  });

  test('a flag of the AI service escalates the level, even if its triage ignores the flag', async () => {
    app.ai.on('red_flags', json({ hasRedFlags: true, flags: ['possible_sepsis'], urgency: 'emergency' }));
    expect((await ask('triage', { json: complete })).body).toMatchObject({
      priority: 'emergency',
      recommendedAction: 'call_emergency_services',
    });
  });

  test('a flag in more words than a triage of the AI service may have escalates the level as well', async () => {
    const detail = { code: 'possible_sepsis', text: 'Call now. '.repeat(200), urgency: 'emergency' };
    app.ai.on(
      'red_flags',
      json({ hasRedFlags: true, flags: [detail.code], urgency: 'emergency', flagDetails: [detail] }),
    );
    const { status, body } = await ask('triage', { json: complete });
    expect([status, body['priority']]).toEqual([200, 'emergency']);
    expect(body['reasons']).toContainEqual({ code: detail.code, text: detail.text });
  });

  test('a flag that only the details of the AI service name is among the flags', async () => {
    const detail = { code: 'possible_sepsis', text: 'Call now.', urgency: 'emergency' };
    app.ai.on('red_flags', json({ hasRedFlags: true, flags: ['a'], urgency: 'low', flagDetails: [detail] }));
    expect((await ask('red_flags', { json: complete })).body).toMatchObject({
      flags: ['a', 'possible_sepsis'],
      urgency: 'emergency',
    });
  });

  test('an emergency level raises the urgency above that of a high flag', async () => {
    app.ai.on(
      'triage',
      json({ ...urgentLevel, priority: 'emergency', recommendedAction: 'call_emergency_services' }),
    );
    const { body } = await ask('red_flags', { json: urgent });
    expect(body).toMatchObject({ urgency: 'emergency' });
    expect(body['flags']).toContain('urgent_by_ai');
    expect(body['flags']).toContain('ophthalmic_zoster');
  });

  test.each([
    ['red_flags', 'triage'],
    ['triage', 'red_flags'],
  ] as const)('%s is answered when %s fails, and soon when it hangs', async (asked, beside) => {
    app.ai.on(beside, text('no', 500));
    expect(await ask(asked, { json: complete })).toMatchObject({ status: 200 });
    app.ai.on(beside, hang);
    const answer = await ask(asked, { json: emergency });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.ms).toBeLessThan(8000);
    expect(answer.text).toContain('airway_or_breathing');
  });
});

describe('a missing answer is not a no', () => {
  /** A febrile child with purple spots: the glass test was not made. */
  const untested = {
    patient: { ageYears: 4 },
    symptoms: { emergency: ['none'], systemic: ['none'] },
    lesion: { lesionTypes: ['bulla'] },
  };

  test('a rule that cannot be excluded raises a flag one step less urgent, explains it, and escalates the level', async () => {
    const { body } = await ask('red_flags', { json: untested });
    expect(body).toMatchObject({
      hasRedFlags: true,
      urgency: 'high',
      flagDetails: [
        { code: 'widespread_blistering', urgency: 'high', certainty: 'not_excluded' },
        { code: 'blistering_without_cause', urgency: 'medium', certainty: 'not_excluded' },
      ],
    });
    const [detail] = body['flagDetails'] as { text: string }[];
    expect(detail?.text).toMatch(/could not be ruled out, because it is not known/);
    const triage = await ask('triage', { json: untested });
    expect(triage.body).toMatchObject({
      priority: 'urgent_24h',
      reasons: [{ code: 'widespread_blistering' }, { code: 'blistering_without_cause' }],
    });
  });

  test('a later answer clears it, or makes it certain', async () => {
    const answered = (extent: string) => ({ ...untested, lesion: { lesionTypes: ['bulla'], extent } });
    const cleared = await ask('red_flags', { json: answered('single_spot') });
    expect(cleared.body['flags']).not.toContain('widespread_blistering');
    const met = await ask('red_flags', { json: answered('over_90_percent') });
    expect(met.body).toMatchObject({ urgency: 'emergency' });
    expect((met.body['flagDetails'] as object[])[0]).toMatchObject({
      code: 'widespread_blistering',
      certainty: 'met',
    });
  });
});

// Nothing is more urgent, so that no reply of the AI service could change the advice.
describe('an emergency of our own rules is answered', () => {
  const advice = {
    red_flags: {
      hasRedFlags: true,
      flags: ['airway_or_breathing'],
      urgency: 'emergency',
      flagDetails: [{ code: 'airway_or_breathing', urgency: 'emergency', certainty: 'met' }],
    },
    triage: {
      priority: 'emergency',
      urgencyScore: 10,
      recommendedAction: 'call_emergency_services',
      recommendedActionText: expect.stringMatching(/\w/),
      reasons: [{ code: 'airway_or_breathing', text: expect.stringMatching(/\w/) }],
    },
  };
  const failures = [
    ['fails', text('no', 500), 'ai_unavailable'],
    ['answers nonsense', json({ nonsense: true }), 'ai_invalid_reply'],
    ['hangs', hang, 'ai_timeout'],
  ] as const;
  const routes = ['red_flags', 'triage'] as const;

  test.each(failures)(
    'while the AI service %s, which counts as no disagreement; no lesser danger is',
    async (_how, behaviour, code) => {
      for (const route of routes) app.ai.on(route, behaviour);
      await Promise.all(
        routes.map(async (route) => {
          const [answer, lesser] = await Promise.all([
            ask(route, { json: emergency }),
            // What is less than an emergency by our rules may be one by the AI service.
            ask(route, { json: urgent }),
          ]);
          expect(answer).toMatchObject({ status: 200, body: { ...advice[route], emergencyNumber: '112' } });
          expect(await recordedCalls(app, answer.id)).toMatchObject([
            { kind: route, outcome: 'ok', safety_net: null },
          ]);
          expect(lesser.body).toMatchObject({ code });
        }),
      );
    },
  );

  test.each(routes)('by %s with what the AI service adds in time', async (route) => {
    const theirs = { code: 'theirs', text: 'Theirs.', urgency: 'medium' };
    app.ai.on(
      'red_flags',
      json({ hasRedFlags: true, flags: ['theirs'], urgency: 'medium', flagDetails: [theirs] }),
    );
    const { body } = await ask(route, { json: emergency });
    expect(body).toMatchObject(route === 'triage' ? { priority: 'emergency' } : { urgency: 'emergency' });
    expect(body[route === 'triage' ? 'reasons' : 'flagDetails']).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ code: 'theirs', text: 'Theirs.' })]),
    );
  });
});

describe('the questionnaire of any AI service', () => {
  const end = {
    questionId: '',
    questionText: '',
    questionType: 'text',
    fieldName: '',
    options: [],
    isComplete: true,
    notice: 'Theirs.',
  };

  test('does not end while a safety question is open: the gateway asks it itself', async () => {
    app.ai.on('next_question', json(end));
    const first = await ask('next_question', { json: {} });
    expect(first.body).toMatchObject({
      questionId: 'q_safety',
      isComplete: false,
      required: true,
      notice: 'Theirs.',
    });
    const second = await ask('next_question', {
      json: { symptoms: { emergency: ['none'] } },
      query: '?lang=he',
    });
    expect(second.body).toMatchObject({ questionId: 'q_age' });
    expect(second.body['questionText']).toMatch(/\p{Script=Hebrew}/u);
  });

  test('yields to a question whose answer could exclude an emergency', async () => {
    const { body } = await ask('next_question', { json: untested() });
    expect(body).toMatchObject({
      fieldName: 'lesion.extent',
      required: true,
      skippable: false,
      safety: true,
    });
    expect(body['optionValues']).toContain('unknown');
  });

  test('ends at once with an emergency that the AI service has missed', async () => {
    const { body } = await ask('next_question', { json: emergency });
    expect(body).toMatchObject({
      isComplete: true,
      emergency: ['airway_or_breathing'],
      emergencyDetails: [{ code: 'airway_or_breathing', urgency: 'emergency', certainty: 'met' }],
    });
  });

  test.each([
    ['fails', text('no', 500), 'ai_unavailable'],
    ['answers nonsense', json({ nonsense: true }), 'ai_invalid_reply'],
    ['hangs', hang, 'ai_timeout'],
  ] as const)('end at an emergency also while the AI service %s', async (_how, behaviour, code) => {
    app.ai.on('next_question', behaviour);
    const ended = await ask('next_question', { json: emergency });
    expect(ended).toMatchObject({
      status: 200,
      body: { isComplete: true, emergency: ['airway_or_breathing'], emergencyNumber: '112' },
    });
    expect(await recordedCalls(app, ended.id)).toMatchObject([{ kind: 'next_question', outcome: 'ok' }]);
    // Without an emergency there is nothing to answer.
    expect(await ask('next_question', { json: {} })).toMatchObject({ body: { code } });
  });

  test('otherwise passes on the AI service’s question', async () => {
    const { body } = await ask('next_question', { json: {} });
    expect(body).toMatchObject(GOOD_REPLIES.next_question);
  });

  const untested = () => ({
    symptoms: { emergency: ['none'], systemic: ['none'] },
    lesion: { lesionTypes: ['bulla'] },
  });
});
