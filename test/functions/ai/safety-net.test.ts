import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../support/app.ts';
import { GOOD_REPLIES, json } from '../../support/fake-ai.ts';
import { asker, complete, emergency, recordedCalls, recordedEvents } from './ai-requests.ts';

// A red flag is never lost: what our own emergency and high rules find is added to what the AI service says. Under
// POST /api/diagnosis: ../diagnosis/create-diagnosis.test.ts; the rules themselves: test/domain/red-flags.

const app = await testApp();
const ask = await asker(app);
beforeEach(() => app.ai.reset());

/** A high, not an emergency: suspected shingles near the eye. */
const high = {
  locations: [{ primary: 'head_neck', secondary: 'eyelid' }],
  lesion: { lesionTypes: ['vesicle'], eyeSymptoms: ['pain'] },
};
const allClear = GOOD_REPLIES.triage;

describe('red flags', () => {
  test('that the AI service misses are added, and the disagreement is recorded', async () => {
    const answer = await ask('red_flags');
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

  test('of the AI service stay beside ours, its words first, the higher urgency of both', async () => {
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
    const answer = await ask('red_flags');
    expect(answer.body).toEqual({
      hasRedFlags: true,
      flags: ['something_of_theirs', 'airway_or_breathing'],
      urgency: 'emergency',
      flagDetails: [{ ...theirs, urgency: 'emergency' }],
    });
    expect(await recordedCalls(app, answer.id)).toMatchObject([
      { safety_net: { added_flags: [], disagreement: true } },
    ]);
  });

  test('are never taken away where our own rules see nothing', async () => {
    const theirs = { hasRedFlags: true, flags: ['possible_sepsis'], urgency: 'emergency' };
    app.ai.on('red_flags', json(theirs));
    const answer = await ask('red_flags', { json: complete });
    expect(answer.body).toEqual(theirs);
    expect(await recordedCalls(app, answer.id)).toMatchObject([
      { safety_net: { added_flags: [], disagreement: false } },
    ]);
    expect((await recordedEvents(app, answer.id))[0]?.['detail']).toEqual({ outcome: 'ok' });
  });

  test('that nobody raises are none', async () => {
    const answer = await ask('red_flags', { json: complete });
    expect(answer.body).toEqual({ hasRedFlags: false, flags: [], urgency: 'low' });
  });

  test('of ours speak the language of the request', async () => {
    const texts = await Promise.all(
      ['en', 'he', 'ar', 'es'].map(async (lang) => {
        const { body } = await ask('red_flags', { query: `?lang=${lang}` });
        return (body['flagDetails'] as { text: string }[])[0]?.text ?? '';
      }),
    );
    expect(new Set(texts).size).toBe(4);
    expect(texts[1]).toMatch(/\p{Script=Hebrew}/u);
    expect(texts[2]).toMatch(/\p{Script=Arabic}/u);
  });
});

describe('triage', () => {
  test('is an emergency where our own rules find one, whatever the AI service says', async () => {
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

  test('is within 24 hours at the latest where our own rules find a high flag', async () => {
    app.ai.on('triage', json(allClear));
    const { body } = await ask('triage', { json: high });
    expect(body).toMatchObject({ priority: 'urgent_24h', recommendedAction: 'same_day_medical_review' });
    expect(body['urgencyScore']).toBeGreaterThanOrEqual(8);
    expect(body['reasons']).toMatchObject([{ code: 'ophthalmic_zoster' }]);
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
    expect((await ask('triage', { json: high })).body).toMatchObject({
      ...theirs,
      reasons: [...theirs.reasons, { code: 'ophthalmic_zoster' }],
    });
    const agreed = await ask('triage', { json: complete });
    expect(agreed.body).toEqual(theirs);
    expect(await recordedCalls(app, agreed.id)).toMatchObject([
      { safety_net: { added_flags: [], disagreement: false } },
    ]);
  });
});
