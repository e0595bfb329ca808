import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { logIn, register } from '../../support/accounts.ts';
import { anotherInstance, type Instance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';
import { anamnesisPart, imagePart, upload } from '../../support/diagnosis.ts';
import { type Behaviour, cut, GOOD_REPLIES, hang, json, text } from '../../support/fake-ai.ts';
import { skinPhoto } from '../../support/images.ts';
import { type AiAnswer, asker, callsOf, recordedCalls, recordedEvents } from './ai-requests.ts';

// What spares a broken AI service, and what keeps a slow one from taking everything else with it.

/** As the client has them: src/lib/ai/ai-client.ts. */
const breakerPauseMs = 5000;
const slotsOfRoute = 48;

const app = await testApp({ alone: true });
const ask = await asker(app);
const account = await register(app);
const photo = await skinPhoto({ width: 64, height: 48, format: 'jpeg' });

/** A breaker remembers: each test has an instance that has seen nothing. */
async function freshInstance(env: Record<string, string> = {}): Promise<Instance> {
  return await anotherInstance(app, env);
}

const diagnose = (of: Instance, id: string) =>
  of.request(
    '/api/diagnosis',
    upload([imagePart(photo, { type: 'image/jpeg' }), anamnesisPart()], {
      token: account.access_token,
      headers: { 'x-request-id': id },
    }),
  );

async function failTimes(of: Instance, times: number, behaviour: Behaviour) {
  app.ai.on('red_flags', behaviour);
  for (let count = 0; count < times; count++) expect((await ask('red_flags', { of })).status).toBe(502);
}

const lines = (of: Instance, event: string) =>
  of.output.filter((line) => line.includes(`"event":"${event}"`) && line.includes('"route":"red_flags"'));

beforeEach(() => app.ai.reset());

describe('a service that keeps failing', () => {
  test.each<[string, Behaviour]>([
    ['with 500', text('no', 500)],
    ['by cutting connections', cut],
  ])('%s is spared: 502 at once, and no call is made', async (_what, behaviour) => {
    const of = await freshInstance();
    await failTimes(of, 5, behaviour);
    expect(lines(of, 'ai_breaker_opened')).toHaveLength(1);

    app.ai.calls.length = 0;
    app.ai.on('red_flags', hang);
    const answer = await ask('red_flags', { of });
    expect(answer).toMatchObject({ status: 502, body: { code: 'ai_unavailable' } });
    expect(Number(answer.headers.get('retry-after'))).toBe(breakerPauseMs / 1000);
    expect(callsOf(app, 'red_flags')).toEqual([]);
    expect(await recordedCalls(app, answer.id)).toMatchObject([{ outcome: 'unavailable', answer: null }]);
  });

  test('is spared as a companion, too, when it hangs: later answers do not wait for it', async () => {
    const of = await freshInstance({ AI_TIMEOUT_MS: '3500' });
    app.ai.on('triage', hang);
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask('red_flags', { of })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await expect
      .poll(() => of.output.filter((line) => line.includes('"ai_breaker_opened"')))
      .toEqual([expect.stringContaining('"route":"triage"')]);
    app.ai.calls.length = 0;
    expect(await ask('red_flags', { of })).toMatchObject({ status: 200 });
    expect(callsOf(app, 'triage')).toEqual([]);
  });

  test('gets one probe after the pause, and all calls once the probe succeeds', async () => {
    const of = await freshInstance();
    await failTimes(of, 5, text('no', 500));
    app.ai.calls.length = 0;
    // A probe that takes its time, so that others come meanwhile.
    const release = Promise.withResolvers<void>();
    app.ai.on('red_flags', async (request, response) => {
      await release.promise;
      await json(GOOD_REPLIES.red_flags)(request, response);
    });
    await sleep(breakerPauseMs + 100);
    const probe = ask('red_flags', { of });
    await vi.waitFor(() => expect(callsOf(app, 'red_flags')).toHaveLength(1), 30_000);
    const meanwhile = await Promise.all(Array.from({ length: 5 }, () => ask('red_flags', { of })));
    expect(meanwhile.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 5 }, () => [502, 'ai_unavailable']),
    );
    expect(callsOf(app, 'red_flags')).toHaveLength(1);
    release.resolve();
    expect((await probe).status).toBe(200);
    expect(lines(of, 'ai_breaker_closed')).toHaveLength(1);
    const after = await Promise.all(Array.from({ length: 5 }, () => ask('red_flags', { of })));
    expect(after.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  test('opens the breaker of its own route only: red flags survive a dead image model', async () => {
    const of = await freshInstance();
    app.ai.on('image_validity', text('no', 500));
    for (let count = 0; count < 6; count++) {
      expect((await ask('image_validity', { of })).status).toBe(502);
    }
    expect(
      of.output.some((line) => line.includes('ai_breaker_opened') && line.includes('image_validity')),
    ).toBe(true);
    expect(await ask('red_flags', { of })).toMatchObject({ status: 200, body: { urgency: 'high' } });
    expect((await ask('predict_diagnosis', { of })).status).toBe(200);
    // The diagnosis needs all three, so it fails, at once.
    const reply = await diagnose(of, 'broken-image-model');
    expect(reply.status).toBe(502);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(((await reply.json()) as { detail: string }).detail).toContain('image_validity');
  });
});

test('input of one user that the service refuses opens no breaker for others', async () => {
  const of = await freshInstance();
  await failTimes(of, 12, json({ detail: 'I do not know that field' }, 422));
  app.ai.on('red_flags', json(GOOD_REPLIES.red_flags));
  expect((await ask('red_flags', { of })).status).toBe(200);
  expect(lines(of, 'ai_breaker_opened')).toEqual([]);
});

describe('more calls in flight than a route may have', () => {
  async function full(route: 'red_flags' | 'image_validity') {
    const of = await freshInstance({ AI_TIMEOUT_MS: '60000' });
    const release = Promise.withResolvers<void>();
    app.ai.on(route, async (request, response) => {
      await release.promise;
      await json(GOOD_REPLIES[route])(request, response);
    });
    // Of one user's photos two wait while one is decoded; more come again.
    const askInTurn = async (): Promise<AiAnswer> => {
      const answer = await ask(route, { of });
      return answer.status === 429 ? (await sleep(50), await askInTurn()) : answer;
    };
    const waiting = Array.from({ length: slotsOfRoute }, askInTurn);
    await vi.waitFor(() => expect(callsOf(app, route)).toHaveLength(slotsOfRoute), 30_000);
    return { of, end: async () => (release.resolve(), await Promise.all(waiting)) };
  }

  test('one more is 503 busy at once; all others are served, and later calls are accepted again', async () => {
    const { of, end } = await full('red_flags');
    const refused = await ask('red_flags', { of });
    expect(refused).toMatchObject({ status: 503, body: { code: 'busy' } });
    expect(refused.body.detail).toContain('red_flags');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(callsOf(app, 'red_flags')).toHaveLength(slotsOfRoute);

    const [healthy, login] = await Promise.all([of.request('/healthy'), logIn(of, account)]);
    expect([healthy.status, login.status]).toEqual([200, 200]);
    for (const route of ['triage', 'next_question', 'predict_diagnosis', 'image_validity'] as const) {
      expect((await ask(route, { of })).status).toBe(200);
    }

    const answers = await end();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await ask('red_flags', { of })).status).toBe(200);
    expect(lines(of, 'ai_breaker_opened')).toEqual([]);
    expect(await recordedEvents(app, refused.id)).toMatchObject([
      { action: 'ai_red_flags', outcome: 'failure', detail: { outcome: 'busy', failed_route: 'red_flags' } },
    ]);
  });

  test('a diagnosis without one of its three calls is 503 and recorded, never an all-clear', async () => {
    const { of, end } = await full('image_validity');
    const reply = await diagnose(of, 'busy-diagnosis');
    expect(reply.status).toBe(503);
    expect(await reply.json()).toMatchObject({ code: 'busy' });
    expect(await recordedCalls(app, 'busy-diagnosis')).toMatchObject([
      { outcome: 'unavailable', answer: null },
    ]);
    expect(await recordedEvents(app, 'busy-diagnosis')).toMatchObject([
      { action: 'ai_diagnosis', detail: { outcome: 'busy', failed_route: 'image_validity' } },
    ]);
    await end();
  });
});
