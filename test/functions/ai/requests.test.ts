import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { register } from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';
import { GOOD_REPLIES, json } from '../../support/fake-ai.ts';
import { flatImage, skinPhoto } from '../../support/images.ts';
import { multipart } from '../../support/multipart.ts';
import {
  aiRoutes,
  asker,
  bodyOf,
  callsOf,
  complete,
  type GatewayAiRoute,
  recordedCalls,
  recordedEvents,
} from './ai-requests.ts';

// What goes to the AI service, what comes back to the caller, what is refused, and what is kept.

const timeoutMs = 7000;
const app = await testApp({
  env: { AI_SERVICE_KEY: 'key-of-the-AI-service', AI_TIMEOUT_MS: String(timeoutMs) },
});
const ask = await asker(app);
const jsonRoutes = aiRoutes.filter((route) => route !== 'image_validity');
beforeEach(() => app.ai.reset());

/** The one call of a route; red flags and triage are asked beside each other. */
const received = (route: GatewayAiRoute) => {
  const [call, ...others] = callsOf(app, route);
  if (call === undefined || others.length > 0) throw new Error(`${1 + others.length} calls of ${route}`);
  return call;
};
const receivedJson = (route: GatewayAiRoute) =>
  JSON.parse(received(route).body.toString()) as Record<string, unknown>;

describe('a call of the AI service', () => {
  test.each(aiRoutes)(
    '%s carries key, request id, trace, language and what is left of the deadline',
    async (route) => {
      const traceId = 'ab'.repeat(16);
      const answer = await ask(route, {
        query: '?lang=es',
        headers: { traceparent: `00-${traceId}-${'cd'.repeat(8)}-01`, cookie: 'a=b', 'x-secret': 'c' },
      });
      expect(answer.status).toBe(200);
      const { method, headers } = received(route);
      expect(method).toBe('POST');
      expect(headers).toMatchObject({
        authorization: 'Bearer key-of-the-AI-service',
        'x-request-id': answer.id,
        'accept-language': 'es',
        accept: 'application/json',
      });
      expect(headers['traceparent']).toMatch(
        new RegExp(`^00-${traceId}-(?!cdcdcdcdcdcdcdcd)[0-9a-f]{16}-01$`),
      );
      expect(Number(headers['x-deadline-ms'])).toBeGreaterThan(timeoutMs / 2);
      expect(Number(headers['x-deadline-ms'])).toBeLessThanOrEqual(timeoutMs);
      // The caller's own headers are not the AI service's business, its token least of all.
      expect(headers).not.toHaveProperty('cookie');
      expect(headers).not.toHaveProperty('x-secret');
    },
  );

  test.each([
    ['?lang=he', 'en', 'he'],
    ['?lang=xx', 'he', 'en'],
    ['', 'fr, ar;q=0.8, en;q=0.5', 'ar'],
    ['', 'fr', 'en'],
  ])('speaks the language of query %j and header %j: %s', async (query, header, language) => {
    await ask('red_flags', { query, headers: { 'accept-language': header } });
    expect(received('red_flags').headers['accept-language']).toBe(language);
    expect(receivedJson('red_flags')['language']).toBe(language);
  });

  test('passes the answers on unchanged, however few', async () => {
    for (const answers of [{}, { complaint: { duration: 'one_day' } }, complete]) {
      app.ai.reset();
      expect((await ask('predict_diagnosis', { json: answers })).status).toBe(200);
      expect(receivedJson('predict_diagnosis')).toEqual({ schemaVersion: '1', language: 'en', ...answers });
    }
  });

  test('answers with the most probable disease first, in whatever order they come', async () => {
    const [one] = GOOD_REPLIES.predict_diagnosis.predictions;
    const of = (disease: string, probability: number) => ({ ...one, disease, probability });
    const predictions = [of('a', 0.1), of('b', 0.6), of('c', 0.1), of('d', 0.2)];
    app.ai.on('predict_diagnosis', json({ ...GOOD_REPLIES.predict_diagnosis, predictions }));
    const { body } = await ask('predict_diagnosis', { json: complete });
    const answered = body['predictions'] as { disease: string }[];
    expect(answered.map(({ disease }) => disease)).toEqual(['b', 'd', 'a', 'c']);
  });

  test('keeps the language of the answers, and uses that of the request for the call', async () => {
    await ask('triage', { json: { language: 'ar' }, query: '?lang=he' });
    expect(receivedJson('triage')['language']).toBe('ar');
    expect(received('triage').headers['accept-language']).toBe('he');
  });

  test('passes on which questions were skipped', async () => {
    const skippedQuestions = ['q_onset', 'q_med_name[0]'];
    await ask('next_question', { json: { ...complete, skippedQuestions } });
    expect(receivedJson('next_question')).toMatchObject({
      skippedQuestions,
      complaint: complete['complaint'],
    });
    app.ai.reset();
    await ask('next_question', { json: {} });
    expect(receivedJson('next_question')).toEqual({
      schemaVersion: '1',
      language: 'en',
      skippedQuestions: [],
    });
  });

  test('sends a photo as a form, whether it came as a form or as base64, without bytes after its end', async () => {
    const photo = await skinPhoto({ width: 64, height: 48, format: 'jpeg' });
    const appended = Buffer.concat([photo, Buffer.from('<script>appended</script>')]);
    const part = { name: 'image', filename: 'me and my mole.jpg', type: 'image/jpeg', body: appended };
    const form = multipart([part]);
    const asForm = {
      json: undefined,
      method: 'POST',
      body: form.body,
      headers: { 'content-type': form.contentType },
    };
    for (const options of [asForm, { json: { imageData: appended.toString('base64') } }]) {
      app.ai.reset();
      expect(await ask('image_validity', options)).toMatchObject({
        status: 200,
        body: GOOD_REPLIES.image_validity,
      });
      const { body, headers } = received('image_validity');
      const sent = await new Response(new Uint8Array(body), {
        headers: { 'content-type': String(headers['content-type']) },
      }).formData();
      expect([...sent.keys()]).toEqual(['image']);
      const image = sent.get('image') as File;
      // Not the caller's file name: it may name the patient.
      expect([image.name, image.type]).toEqual(['image.jpg', 'image/jpeg']);
      expect(Buffer.from(await image.arrayBuffer()).equals(photo)).toBe(true);
    }
  });
});

describe('the answer', () => {
  test.each(aiRoutes)('%s has the members of its schema and no others', async (route) => {
    app.ai.on(
      route,
      json({
        ...GOOD_REPLIES[route],
        notice: 'Not for clinical use.',
        modelVersion: 'model-7',
        debug: { a: 1 },
      }),
    );
    const given = route === 'image_validity' || route === 'next_question' ? bodyOf(route) : complete;
    const answer = await ask(route, { json: given });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toMatch(/debug/);
    const { reasons: _withOneAdded, ...good }: Record<string, unknown> = GOOD_REPLIES[route];
    expect(answer.body).toMatchObject({
      ...good,
      notice: 'Not for clinical use.',
      modelVersion: 'model-7',
    });
    expect(answer.headers.get('x-request-id')).toBe(answer.id);
  });
});

describe('the record of a call', () => {
  test.each(aiRoutes)('%s: who, when, how long, which model, which input', async (route) => {
    app.ai.on(route, json({ ...GOOD_REPLIES[route], modelVersion: 'model-7' }));
    const given = route === 'image_validity' ? bodyOf(route) : complete;
    const answer = await ask(route, { json: given, query: '?lang=es' });
    const [record, ...others] = await recordedCalls(app, answer.id);
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      kind: route,
      outcome: 'ok',
      model_version: 'model-7',
      language: 'es',
      user_id: expect.any(Number),
      latency_ms: expect.any(Number),
    });
    const hashed =
      route === 'image_validity'
        ? Buffer.from((given as { imageData: string }).imageData, 'base64')
        : received(route).body;
    expect(record?.['input_sha256']).toBe(createHash('sha256').update(hashed).digest('hex'));
    // Answers of patients are kept for diagnoses only.
    const kept = route === 'predict_diagnosis';
    expect(record?.['anamnesis']).toEqual(kept ? receivedJson(route) : null);
    expect(record?.['answer']).toEqual(kept ? answer.body : null);
    expect(await recordedEvents(app, answer.id)).toMatchObject([
      {
        category: 'ai',
        action: `ai_${route}`,
        outcome: 'success',
        actor_kind: 'user',
        detail: { outcome: 'ok' },
      },
    ]);
  });
});

describe('invalid answers', () => {
  test.each(jsonRoutes)(
    '%s: 422 names every wrong field, and the AI service is not called',
    async (route) => {
      const answer = await ask(route, {
        json: {
          patient: { ageYears: 200, gender: 'dragon', colour: 'blue' },
          complaint: { duration: 7 },
          locations: [{ primary: 'arm' }, { primary: 'hand', secondary: 'cheek' }],
          symptoms: { emergency: ['none', 'fainting'] },
          medications: [{ purpose: 'this_skin_problem', improvement: 'not_applicable' }],
          images: [{ url: 'https://elsewhere.example/a.jpg', locationIndex: 5 }],
          simptoms: {},
        },
      });
      expect(answer).toMatchObject({ status: 422, body: { code: 'anamnesis_invalid' } });
      const errors = answer.body['errors'] as { pointer: string; code: string }[];
      expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual([
        '/complaint/duration',
        '/images/0/locationIndex',
        '/images/0/url',
        '/locations/1/secondary',
        '/medications/0/improvement',
        '/patient/ageYears',
        '/patient/colour',
        '/patient/gender',
        '/simptoms',
        '/symptoms/emergency',
      ]);
      expect(errors.find(({ pointer }) => pointer === '/patient/colour')?.code).toBe('unknown_field');
      expect(app.ai.calls).toEqual([]);
      expect(await recordedCalls(app, answer.id)).toEqual([]);
    },
  );

  test.each([
    ['q_onset', '/skippedQuestions'],
    [['q_onset', 'q_onset'], '/skippedQuestions'],
    [['q_onset', ''], '/skippedQuestions/1'],
    [[7], '/skippedQuestions/0'],
    [Array.from({ length: 201 }, (_, index) => `q_a[${index % 100}]`), '/skippedQuestions'],
  ])(
    'skipped questions %j are 422 at %s, together with other mistakes',
    async (skippedQuestions, pointer) => {
      const answer = await ask('next_question', { json: { skippedQuestions, patient: { ageYears: -1 } } });
      expect(answer).toMatchObject({ status: 422, body: { code: 'anamnesis_invalid' } });
      const pointers = (answer.body['errors'] as { pointer: string }[]).map((error) => error.pointer);
      expect(pointers).toContain(pointer);
      expect(pointers).toContain('/patient/ageYears');
      expect(app.ai.calls).toEqual([]);
    },
  );

  test('skipped questions are accepted by next_question only', async () => {
    const answer = await ask('red_flags', { json: { skippedQuestions: [] } });
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/skippedQuestions', code: 'unknown_field' }] },
    });
  });

  test.each([
    ['a list', '[]', 400, 'validation_error'],
    ['no JSON', '{"patient":', 400, 'malformed_json'],
    ['a key twice', '{"patient":{},"patient":{}}', 400, 'malformed_json'],
    ['nothing', '', 400, 'malformed_json'],
    [
      'more than 64 KiB',
      JSON.stringify({ complaint: { description: 'x'.repeat(70_000) } }),
      413,
      'payload_too_large',
    ],
  ])('%s is no anamnesis', async (_what, body, status, code) => {
    const headers = { 'content-type': 'application/json' };
    for (const route of jsonRoutes) {
      expect(await ask(route, { json: undefined, method: 'POST', body, headers })).toMatchObject({
        status,
        body: { code },
      });
    }
    expect(app.ai.calls).toEqual([]);
  });

  test('an invalid photo or invalid base64 is 400 at its pointer', async () => {
    const text = Buffer.from('not a picture at all').toString('base64');
    expect(await ask('image_validity', { json: { imageData: text } })).toMatchObject({
      status: 400,
      body: { code: 'invalid_image', errors: [{ pointer: '/imageData' }] },
    });
    for (const imageData of ['***', 'abc', 'data:image/png;base64,AAAA']) {
      expect(await ask('image_validity', { json: { imageData } })).toMatchObject({
        status: 400,
        body: { code: 'validation_error', errors: [{ pointer: '/imageData' }] },
      });
    }
    const png = (await flatImage({ width: 8, height: 8 })).toString('base64');
    for (const body of [
      {},
      { imageData: png, imageUrl: '/api/common/images/x' },
      { imageData: png, other: 1 },
    ]) {
      expect((await ask('image_validity', { json: body })).status).toBe(400);
    }
    expect(app.ai.calls).toEqual([]);
  });

  test('base64 is the same photo with the escapes that .NET, PHP and Gson write', async () => {
    // Its base64 ends with an equals sign.
    const photo = await skinPhoto({ format: 'png', seed: 3 });
    const escapes: Record<string, string> = {
      '+': String.raw`\u002B`,
      '/': String.raw`\/`,
      '=': String.raw`\u003d`,
    };
    const base64 = photo.toString('base64');
    const escaped = base64.replaceAll(/[+/=]/g, (character) => escapes[character] ?? '');
    for (const escape of Object.values(escapes)) expect(escaped).toContain(escape);
    const headers = { 'content-type': 'application/json' };
    const answer = await ask('image_validity', {
      json: undefined,
      method: 'POST',
      body: `{"imageData":"${escaped}"}`,
      headers,
    });
    expect(answer.status).toBe(200);
    const [record] = await recordedCalls(app, answer.id);
    expect(record?.['input_sha256']).toBe(createHash('sha256').update(photo).digest('hex'));
  });

  test('a foreign address is never fetched', async () => {
    let fetched = 0;
    app.ai.on('healthy', (request, response) => {
      fetched += 1;
      return json(GOOD_REPLIES.healthy)(request, response);
    });
    for (const imageUrl of [
      `/api/common/images/${'-'.repeat(36)}`,
      `/api/common/images/${'0'.repeat(36)}`,
      `${app.ai.url}/healthy`,
      'file:///etc/passwd',
      '//example.org/api/common/images/a',
    ]) {
      const answer = await ask('image_validity', { json: { imageUrl } });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/imageUrl' }] } });
    }
    expect(fetched).toBe(0);
  });
});

describe('access', () => {
  test.each(aiRoutes)('%s: no access without a token', async (route) => {
    const reply = await app.request(`/api/ai/${route}`, { json: bodyOf(route) });
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(app.ai.calls).toEqual([]);
  });

  test.each(['patient', 'physician', 'admin'])('a %s', async (role) => {
    const { access_token: token } = await register(app, { role });
    expect((await ask('red_flags', { token })).status).toBe(200);
  });
});

describe('help lines', () => {
  const advising = ['red_flags', 'triage', 'next_question'] as const;

  test.each(advising)(
    '%s names the emergency number, and no crisis line that is not configured',
    async (route) => {
      const { body } = await ask(route, { json: complete });
      expect(body).toMatchObject({ emergencyNumber: '112' });
      expect(body).not.toHaveProperty('crisisLine');
    },
  );

  test.each(advising)('%s names those of the deployment', async (route) => {
    const of = await anotherInstance(app, { EMERGENCY_NUMBER: '101', CRISIS_LINE: '1201' });
    const { body } = await ask(route, { of, json: complete });
    expect(body).toMatchObject({ emergencyNumber: '101', crisisLine: '1201' });
  });

  test('an AI service cannot replace them', async () => {
    app.ai.on(
      'red_flags',
      json({ ...GOOD_REPLIES.red_flags, emergencyNumber: '0900 1', crisisLine: '0900 2' }),
    );
    const { body } = await ask('red_flags', { json: complete });
    expect(body).toMatchObject({ emergencyNumber: '112' });
    expect(body).not.toHaveProperty('crisisLine');
  });
});
