import { beforeEach, describe, expect, test } from 'vitest';
import { claimsOf, register, tenantRows } from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';
import { anamnesis, anamnesisPart, imagePart, upload } from '../../support/diagnosis.ts';
import { after, type Behaviour, GOOD_REPLIES, json, text } from '../../support/fake-ai.ts';
import { skinPhoto } from '../../support/images.ts';
import { storePhoto } from '../../support/stored-images.ts';

// A retry of POST /api/diagnosis is not a second case.

const app = await testApp({ env: { PUBLIC_AI_ROUTES: 'true' } });
const [alice, bob] = await Promise.all([register(app), register(app)]);
const photo = await skinPhoto({ width: 64, height: 48, format: 'jpeg' });
const other = await skinPhoto({ width: 64, height: 48, seed: 2, format: 'jpeg' });

interface Asked {
  key?: string;
  image?: Buffer;
  answers?: unknown;
  query?: string;
  token?: string | undefined;
  instance?: Pick<typeof app, 'request'>;
}

async function diagnose({
  key,
  image = photo,
  answers = anamnesis,
  query = '',
  token,
  instance = app,
}: Asked = {}) {
  const headers = { ...(key !== undefined && { 'idempotency-key': key }) };
  const options = { headers, ...(token !== undefined && { token }) };
  const reply = await instance.request(
    `/api/diagnosis${query}`,
    upload([imagePart(image), anamnesisPart(answers)], options),
  );
  return {
    status: reply.status,
    replayed: reply.headers.get('idempotency-replayed') === 'true',
    requestId: reply.headers.get('x-request-id') ?? '',
    body: (await reply.json()) as Record<string, unknown> & { code?: string },
  };
}

const ofAlice = (asked: Asked = {}) => diagnose({ token: alice.access_token, ...asked });
const recorded = async () =>
  Number((await tenantRows<{ count: string }>(app, 'SELECT count(*) FROM ml_diagnosis_results'))[0]?.count);

beforeEach(() => app.ai.reset());

describe('a retry with the same Idempotency-Key', () => {
  test('gets the first answer without another case or another call of the AI service', async () => {
    const first = await ofAlice({ key: 'diagnosis-0001' });
    expect(first).toMatchObject({ status: 200, replayed: false });
    const rows = await recorded();
    app.ai.reset();
    app.ai.on('predict_diagnosis', text('the model was replaced', 500));
    const second = await ofAlice({ key: 'diagnosis-0001' });
    expect(second).toMatchObject({ status: 200, replayed: true, body: first.body });
    expect(app.ai.calls).toEqual([]);
    expect(await recorded()).toBe(rows);
  });

  test('at the same time gets the answer or has to wait; one case is created', async () => {
    app.ai.on('red_flags', after(300, json(GOOD_REPLIES.red_flags)));
    const rows = await recorded();
    const answers = await Promise.all(Array.from({ length: 4 }, () => ofAlice({ key: 'diagnosis-0002' })));
    const codes = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code);
    expect(new Set(codes)).toEqual(new Set(['idempotency_in_progress']));
    expect(await recorded()).toBe(rows + 1);
  });

  test.each<[string, Asked]>([
    ['another photo', { image: other }],
    ['other answers', { answers: { ...anamnesis, complaint: { duration: 'one_day' } } }],
    ['another language of the reply', { query: '?lang=es' }],
  ])('with %s is a mistake', async (name, changed) => {
    const key = `mistake-${name.replaceAll(' ', '-')}`;
    expect((await ofAlice({ key })).status).toBe(200);
    const answer = await ofAlice({ key, ...changed });
    expect(answer).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
  });

  test('after a failure of the AI service or a refusal is a first try', async () => {
    app.ai.on('red_flags', text('down', 500));
    expect((await ofAlice({ key: 'diagnosis-0003' })).status).toBe(502);
    app.ai.reset();
    expect(await ofAlice({ key: 'diagnosis-0003' })).toMatchObject({ status: 200, replayed: false });
    expect((await ofAlice({ key: 'diagnosis-0004', image: Buffer.from('no image') })).status).toBe(400);
    expect(await ofAlice({ key: 'diagnosis-0004' })).toMatchObject({ status: 200, replayed: false });
  });

  describe('while the first has run for a minute', () => {
    /** A behaviour that says when it has begun and answers when it is told to. */
    function held(reply: unknown) {
      const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const behaviour: Behaviour = async (request, response) => {
        begun.resolve();
        await released.promise;
        await json(reply)(request, response);
      };
      return { behaviour, begun: begun.promise, release: released.resolve };
    }
    const runFor = (interval: string) =>
      app.db.query(
        `UPDATE idempotency_keys SET started_at = started_at - $1::interval WHERE state = 'running'`,
        [interval],
      );
    const runForAMinute = () => runFor('61 s');

    test('does not take over the key while the first may still wait for the AI service', async () => {
      const patient = await anotherInstance(app, { AI_TIMEOUT_MS: '90000' });
      const first = held(GOOD_REPLIES.red_flags);
      app.ai.on('red_flags', first.behaviour, json(GOOD_REPLIES.red_flags));
      const ask = () => diagnose({ key: 'diagnosis-0010', token: alice.access_token, instance: patient });
      const slow = ask();
      await first.begun;
      await runFor('100 s');
      expect((await ask()).body.code).toBe('idempotency_in_progress');
      await runFor('21 s');
      expect(await ask()).toMatchObject({ status: 200, replayed: false });
      first.release();
      expect((await slow).body.code).toBe('idempotency_in_progress');
    });

    test('takes over the key, and the first request creates no second case', async () => {
      const first = held(GOOD_REPLIES.red_flags);
      app.ai.on('red_flags', first.behaviour, json(GOOD_REPLIES.red_flags));
      const rows = await recorded();
      const slow = ofAlice({ key: 'diagnosis-0008' });
      await first.begun;
      expect((await ofAlice({ key: 'diagnosis-0008' })).body.code).toBe('idempotency_in_progress');
      await runForAMinute();
      const second = await ofAlice({ key: 'diagnosis-0008' });
      expect(second).toMatchObject({ status: 200, replayed: false });
      first.release();
      expect(await slow).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } });
      expect(await recorded()).toBe(rows + 1);
      expect(await ofAlice({ key: 'diagnosis-0008' })).toMatchObject({ replayed: true, body: second.body });
    });

    test('keeps the key even if the first request then fails', async () => {
      const [first, next] = [held({ not: 'a reply' }), held(GOOD_REPLIES.red_flags)];
      app.ai.on('red_flags', first.behaviour, next.behaviour);
      const failing = ofAlice({ key: 'diagnosis-0009' });
      await first.begun;
      await runForAMinute();
      const second = ofAlice({ key: 'diagnosis-0009' });
      await next.begun;
      first.release();
      expect((await failing).status).toBe(502);
      const { rows } = await app.db.query(`SELECT state FROM idempotency_keys WHERE state = 'running'`);
      expect(rows).toHaveLength(1);
      next.release();
      expect(await second).toMatchObject({ status: 200, replayed: false });
    });
  });

  test("is each user's own", async () => {
    const first = await ofAlice({ key: 'diagnosis-0005' });
    const theirs = await diagnose({ key: 'diagnosis-0005', image: other, token: bob.access_token });
    expect([first, theirs]).toMatchObject([
      { status: 200, replayed: false },
      { status: 200, replayed: false },
    ]);
    expect(claimsOf(bob.access_token)).not.toEqual(claimsOf(alice.access_token));
  });

  test('works without a token, too', async () => {
    const first = await diagnose({ key: 'diagnosis-0006' });
    expect(await diagnose({ key: 'diagnosis-0006' })).toMatchObject({ replayed: true, body: first.body });
    expect(await ofAlice({ key: 'diagnosis-0006' })).toMatchObject({ status: 200, replayed: false });
  });

  test('with a malformed key is 400', async () => {
    expect(await ofAlice({ key: 'short' })).toMatchObject({
      status: 400,
      body: { code: 'validation_error' },
    });
  });
});

test('no answer is stored with the key, because it is health data', async () => {
  await ofAlice({ key: 'diagnosis-0007' });
  const { rows } = await app.db.query<{ reply: unknown; resource_uuid: string }>(
    "SELECT reply, resource_uuid FROM idempotency_keys WHERE route = 'api/diagnosis' AND state = 'done'",
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ reply, resource_uuid: uuid }) => reply === null && uuid !== null)).toBe(true);
});

test('without a key each call is a new case', async () => {
  const rows = await recorded();
  await Promise.all([ofAlice(), ofAlice()]);
  expect(await recorded()).toBe(rows + 2);
});

test('the cheap checks come first: an image that is not visible is refused before pixels are decoded', async () => {
  const { url } = await storePhoto(app, bob.access_token, other);
  // Its end is missing, which only decoding finds out.
  const broken = Buffer.concat([photo.subarray(0, photo.length / 2), photo.subarray(-2)]);
  const answers = { ...anamnesis, images: [{ url }] };
  expect((await ofAlice({ image: broken })).body.code).toBe('invalid_image');
  expect(await ofAlice({ image: broken, answers })).toMatchObject({
    status: 422,
    body: { code: 'anamnesis_invalid', errors: [{ pointer: '/images/0/url' }] },
  });
});
