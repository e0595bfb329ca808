import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { claimsOf, createTenant, register, tenantRows } from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';
import { anamnesis, anamnesisPart, emergencyAnamnesis, imagePart, upload } from '../../support/diagnosis.ts';
import { GOOD_REPLIES, json, type ReceivedCall } from '../../support/fake-ai.ts';
import { flatImage, skinPhoto } from '../../support/images.ts';

// What POST /api/diagnosis answers and keeps when the AI service does its part.

const app = await testApp();
const [patient, physician] = await Promise.all([register(app), register(app, { role: 'physician' })]);
const photo = await skinPhoto({ width: 96, height: 72, format: 'jpeg' });

interface Diagnosis {
  predictions: {
    disease: string;
    probability: number;
    confidence: string;
    name?: string;
    explanation?: string[];
  }[];
  red_flags: {
    hasRedFlags: boolean;
    flags: string[];
    urgency: string;
    flagDetails?: { code: string; text: string; urgency: string }[];
  };
  image_validity: {
    isValid: boolean;
    score: number;
    issues: string[];
    issueDetails?: { code: string; text: string }[];
  };
}

interface DiagnosisOptions {
  token?: string;
  answers?: unknown;
  query?: string;
  headers?: Record<string, string>;
  /** Another app than the file's. */
  of?: Pick<typeof app, 'request'>;
}

function diagnose({
  token = patient.access_token,
  answers = anamnesis,
  query = '',
  headers = {},
  of = app,
}: DiagnosisOptions = {}) {
  return of.request(
    `/api/diagnosis${query}`,
    upload([imagePart(photo), anamnesisPart(answers)], { token, headers }),
  );
}

function diagnoseAnonymously(
  of: Pick<typeof app, 'request'>,
  query = '',
  headers: Record<string, string> = {},
) {
  return of.request(`/api/diagnosis${query}`, upload([imagePart(photo), anamnesisPart()], { headers }));
}

interface Kept extends Record<string, unknown> {
  kind: string;
  outcome: string;
  user_id: number | null;
  tenant_id: number;
  anamnesis: unknown;
  answer: Diagnosis | null;
  safety_net: { added_flags: string[]; disagreement: boolean };
  input_sha256: Buffer;
  latency_ms: number;
  language: string;
  model_version: string | null;
}

const keptOf = (requestId: string, tenantId = 1) =>
  tenantRows<Kept>(app, 'SELECT * FROM ml_diagnosis_results WHERE request_id = $1', [requestId], tenantId);
const eventsOf = (requestId: string, tenantId = 1) =>
  tenantRows(app, 'SELECT * FROM event_logs WHERE request_id = $1 ORDER BY id', [requestId], tenantId);

const aiCall = (route: string): ReceivedCall => {
  const call = app.ai.calls.find((each) => each.route === route);
  if (call === undefined) throw new Error(`${route} was not called`);
  return call;
};

beforeEach(() => app.ai.reset());

describe('the answer', () => {
  test('has all three parts as the AI service gave them', async () => {
    const reply = await diagnose();
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(await reply.json()).toEqual({
      predictions: GOOD_REPLIES.predict_diagnosis.predictions,
      red_flags: { ...GOOD_REPLIES.red_flags, emergencyNumber: '112' },
      image_validity: GOOD_REPLIES.image_validity,
    });
  });

  test.each(['patient', 'physician', 'admin'])('is for any role: %s', async (role) => {
    const { access_token: token } = await register(app, { role });
    expect((await diagnose({ token })).status).toBe(200);
  });

  test('passes on names, explanations and texts, and no unknown members', async () => {
    const prediction = {
      disease: 'psoriasis',
      probability: 1,
      confidence: 'high',
      name: 'Psoriasis',
      icd10: 'L40',
      explanation: ['scaly'],
    };
    const flagDetails = [{ code: 'spreading', text: 'It spreads.', urgency: 'high' }];
    const issueDetails = [{ code: 'blurry', text: 'The photo is blurred.' }];
    app.ai.on(
      'predict_diagnosis',
      json({ predictions: [{ ...prediction, internal_id: 7 }], modelVersion: 'm1', gpu: 'a100' }),
    );
    app.ai.on(
      'red_flags',
      json({
        hasRedFlags: true,
        flags: ['spreading'],
        urgency: 'high',
        flagDetails,
        modelVersion: 'r1',
        debug: {},
      }),
    );
    app.ai.on(
      'image_validity',
      json({ isValid: false, score: 0.2, issues: ['blurry'], issueDetails, modelVersion: 'i1' }),
    );
    expect(await (await diagnose()).json()).toEqual({
      predictions: [prediction],
      modelVersion: 'm1',
      red_flags: {
        hasRedFlags: true,
        flags: ['spreading'],
        urgency: 'high',
        flagDetails: flagDetails.map((detail) => ({ ...detail, certainty: 'met' })),
        modelVersion: 'r1',
        emergencyNumber: '112',
      },
      image_validity: { isValid: false, score: 0.2, issues: ['blurry'], issueDetails, modelVersion: 'i1' },
    });
  });

  test('flags a level of 24 hours that only the AI service gives, and succeeds without it when the triage call fails', async () => {
    app.ai.on('triage', json({ ...GOOD_REPLIES.triage, priority: 'emergency', urgencyScore: 10 }));
    expect(await (await diagnose()).json()).toMatchObject({
      red_flags: { hasRedFlags: true, flags: ['urgent_by_ai'], urgency: 'emergency' },
    });
    app.ai.on('triage', json({ marker: 1 }));
    const reply = await diagnose();
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({ red_flags: GOOD_REPLIES.red_flags });
  });

  test('to an unusable photo is 200 and names its issues', async () => {
    app.ai.on('image_validity', json({ isValid: false, score: 0.1, issues: ['too_dark', 'blurry'] }));
    const reply = await diagnose();
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({
      image_validity: { isValid: false, issues: ['too_dark', 'blurry'] },
    });
  });
});

describe('the AI service is asked', () => {
  test('three times, plus for triage, with the right bodies and headers', async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c';
    await diagnose({
      headers: { 'x-request-id': 'trace-me', traceparent: `00-${trace}-b7ad6b7169203331-01` },
    });
    expect(app.ai.calls.map(({ route }) => route).toSorted()).toEqual([
      'image_validity',
      'predict_diagnosis',
      'red_flags',
      'triage',
    ]);
    for (const { method, headers, body } of app.ai.calls) {
      expect(method).toBe('POST');
      expect(headers['x-request-id']).toBe('trace-me');
      expect(headers['traceparent']).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
      expect(Number(headers['x-deadline-ms'])).toBeGreaterThan(0);
      expect(Number(headers['x-deadline-ms'])).toBeLessThanOrEqual(10_000);
      expect(Number(headers['content-length'])).toBe(body.length);
      expect(headers['authorization']).toBeUndefined();
    }
    for (const route of ['predict_diagnosis', 'red_flags', 'triage']) {
      expect(aiCall(route).headers['content-type']).toBe('application/json');
      expect(JSON.parse(aiCall(route).body.toString())).toEqual({
        schemaVersion: '1',
        language: 'en',
        ...anamnesis,
      });
    }
    expect(aiCall('image_validity').headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(aiCall('image_validity').body.includes(photo)).toBe(true);
  });

  test('concurrently: all calls are in flight before the first reply', async () => {
    const arrived = new Set<string>();
    const all = Promise.withResolvers<void>();
    for (const route of ['predict_diagnosis', 'red_flags', 'image_validity'] as const) {
      app.ai.on(route, async (request, response) => {
        arrived.add(route);
        if (arrived.size === 3) all.resolve();
        await all.promise;
        await json(GOOD_REPLIES[route])(request, response);
      });
    }
    expect((await diagnose()).status).toBe(200);
  });

  test('over persistent connections', async () => {
    const before = app.ai.opened();
    for (let round = 0; round < 5; round += 1) expect((await diagnose()).status).toBe(200);
    // Twenty calls; those of earlier files have left connections or not.
    expect(app.ai.opened() - before).toBeLessThanOrEqual(6);
  });

  test.each([
    ['?lang=he', { 'accept-language': 'es' }, 'he'],
    ['', { 'accept-language': 'fr, es;q=0.5' }, 'es'],
    ['?lang=xx', { 'accept-language': 'es' }, 'en'],
    ['', {}, 'en'],
  ])('in the language of the request: %s %j', async (query, headers, language) => {
    expect((await diagnose({ query, headers: headers as Record<string, string> })).status).toBe(200);
    for (const call of app.ai.calls) expect(call.headers['accept-language']).toBe(language);
    expect(JSON.parse(aiCall('red_flags').body.toString())).toMatchObject({ language });
  });

  test("without the client's own headers", async () => {
    await diagnose({
      headers: { cookie: 'session=secret', 'x-forwarded-for': '203.0.113.9', 'x-tenant': 'other' },
    });
    for (const { headers } of app.ai.calls) {
      const sent = JSON.stringify(headers);
      expect(sent).not.toContain('secret');
      expect(sent).not.toContain('203.0.113.9');
      expect(sent).not.toContain(patient.access_token);
    }
  });

  test('with its key when one is configured', async () => {
    const keyed = await anotherInstance(app, { AI_SERVICE_KEY: 'key-of-the-ai-service' });
    expect((await diagnose({ of: keyed })).status).toBe(200);
    for (const { headers } of app.ai.calls)
      expect(headers['authorization']).toBe('Bearer key-of-the-ai-service');
    expect(keyed.output.join('\n')).not.toContain('key-of-the-ai-service');
  });

  test('below the path of its address', async () => {
    const prefixed = await anotherInstance(app, { AI_SERVICE_URL: `${app.ai.url}/v2/` });
    expect((await diagnose({ of: prefixed })).status).toBe(502);
    expect(app.ai.calls.length).toBeGreaterThan(0);
    for (const { route } of app.ai.calls) expect(route).toMatch(/^v2\//);
  });
});

describe('the safety net', () => {
  test('adds the emergency that the AI service missed, and records the disagreement', async () => {
    const headers = { 'x-request-id': 'safety-net' };
    const answer = (await (await diagnose({ answers: emergencyAnamnesis, headers })).json()) as Diagnosis;
    expect(answer.red_flags).toMatchObject({
      hasRedFlags: true,
      flags: ['airway_or_breathing'],
      urgency: 'emergency',
    });
    expect(answer.red_flags.flagDetails?.[0]?.text).toMatch(/emergency help/);
    const [kept] = await keptOf('safety-net');
    expect(kept?.safety_net).toEqual({ added_flags: ['airway_or_breathing'], disagreement: true });
    expect(kept?.answer).toEqual(answer);
    const [event] = await eventsOf('safety-net');
    expect(event).toMatchObject({ detail: { outcome: 'ok', added_flags: ['airway_or_breathing'] } });
  });

  test('removes nothing and lowers nothing', async () => {
    const theirs = { hasRedFlags: true, flags: ['unheard_of'], urgency: 'emergency' };
    app.ai.on('red_flags', json(theirs));
    expect(await (await diagnose()).json()).toMatchObject({ red_flags: theirs });
  });

  test('records no disagreement when both agree', async () => {
    const headers = { 'x-request-id': 'agreed' };
    await diagnose({ headers });
    expect((await keptOf('agreed'))[0]?.safety_net).toEqual({ added_flags: [], disagreement: false });
  });
});

describe('the record of a diagnosis', () => {
  test('has input, answer, versions, language, latency and owner', async () => {
    app.ai.on('predict_diagnosis', json({ ...GOOD_REPLIES.predict_diagnosis, modelVersion: 'engine-7' }));
    const headers = { 'x-request-id': 'kept-1' };
    const answer = await (await diagnose({ query: '?lang=es', headers })).json();
    const rows = await keptOf('kept-1');
    expect(rows).toHaveLength(1);
    const sent = { schemaVersion: '1', language: 'es', ...anamnesis };
    expect(rows[0]).toMatchObject({
      kind: 'diagnosis',
      outcome: 'ok',
      tenant_id: 1,
      user_id: await idOf(patient.access_token),
      anamnesis: sent,
      answer,
      language: 'es',
      model_version: 'engine-7',
      case_uuid: null,
    });
    expect(rows[0]?.input_sha256).toHaveLength(32);
    expect(rows[0]?.latency_ms).toBeGreaterThanOrEqual(0);
  });

  test('the input hash is equal for equal photos and answers, otherwise different', async () => {
    const hashOf = async (id: string, options: DiagnosisOptions = {}) => {
      await diagnose({ ...options, headers: { 'x-request-id': id } });
      return (await keptOf(id))[0]?.input_sha256.toString('hex');
    };
    const first = await hashOf('hash-1');
    expect(await hashOf('hash-2', { token: physician.access_token })).toBe(first);
    expect(await hashOf('hash-3', { answers: emergencyAnamnesis })).not.toBe(first);
    const photoAlone = createHash('sha256').update(photo).digest('hex');
    expect(first).not.toBe(photoAlone);
  });

  test('one event, with the session but without answers or findings', async () => {
    await diagnose({ headers: { 'x-request-id': 'event-1', 'x-forwarded-for': '203.0.113.77' } });
    const events = await eventsOf('event-1');
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      category: 'ai',
      action: 'ai_diagnosis',
      outcome: 'success',
      actor_kind: 'user',
      actor_user_id: await idOf(patient.access_token),
      session_id: claimsOf(patient.access_token).sid,
      subject_kind: 'ml_diagnosis_result',
      subject_uuid: (await keptOf('event-1'))[0]?.['uuid'],
      detail: { outcome: 'ok' },
    });
    expect(events[0]?.['ip_prefix']).toMatch(/\/24$/);
  });

  test('stays in the tenant of the token, regardless of the tenant in the request', async () => {
    const tenantId = await createTenant(app, 'clinic-a');
    const { access_token: token } = await register(app, { tenant: 'clinic-a' });
    await diagnose({
      token,
      query: '?tenant=default',
      headers: { 'x-request-id': 'tenant-1', 'x-tenant': 'default' },
    });
    expect(await keptOf('tenant-1', 1)).toEqual([]);
    expect(await keptOf('tenant-1', tenantId)).toMatchObject([{ tenant_id: tenantId }]);
    expect(await eventsOf('tenant-1', tenantId)).toHaveLength(1);
  });
});

describe('callers without a token', () => {
  test('are refused unless PUBLIC_AI_ROUTES is set', async () => {
    const reply = await diagnoseAnonymously(app);
    expect(reply.status).toBe(401);
    expect(await reply.json()).toMatchObject({ code: 'authentication_required' });
    expect(app.ai.calls).toEqual([]);
  });

  describe('with PUBLIC_AI_ROUTES', async () => {
    const open = await anotherInstance(app, { PUBLIC_AI_ROUTES: 'true' });

    test('get a diagnosis, stored without a user in the default tenant', async () => {
      const reply = await diagnoseAnonymously(open, '', { 'x-request-id': 'anonymous-1' });
      expect(reply.status).toBe(200);
      expect(await keptOf('anonymous-1')).toMatchObject([{ user_id: null, tenant_id: 1, outcome: 'ok' }]);
      expect(await eventsOf('anonymous-1')).toMatchObject([{ actor_kind: 'anonymous', actor_user_id: null }]);
    });

    test.each([
      ['?tenant=clinic-b', {}],
      ['', { 'x-tenant': 'clinic-b' }],
      ['?tenant=clinic-b', { 'x-tenant': 'default' }],
    ])('are taken to the tenant that they name: %s %j', async (query, named) => {
      const tenantId = await tenantOf('clinic-b');
      const id = `anonymous-${query.length}-${Object.keys(named).length}`;
      const reply = await diagnoseAnonymously(open, query, { ...named, 'x-request-id': id } as Record<
        string,
        string
      >);
      expect(reply.status).toBe(200);
      expect(await keptOf(id, tenantId)).toMatchObject([{ tenant_id: tenantId, user_id: null }]);
    });

    test('get 404 for an unknown or inactive tenant, before the AI service is called', async () => {
      await tenantOf('closed');
      await app.db.query("UPDATE tenants SET is_active = false WHERE slug = 'closed'");
      for (const slug of ['nowhere', 'closed', '%00']) {
        const reply = await diagnoseAnonymously(open, `?tenant=${slug}`);
        expect(await reply.json()).toMatchObject({ status: 404, code: 'tenant_not_found' });
      }
      expect(app.ai.calls).toEqual([]);
    });

    test('but a token must be valid if sent', async () => {
      const reply = await diagnose({ token: 'abc', of: open });
      expect(await reply.json()).toMatchObject({ status: 401, code: 'token_invalid' });
    });
  });
});

test('a blank photo is accepted: the AI service decides whether it is valid', async () => {
  const wall = await flatImage({ width: 64, height: 64 });
  const reply = await app.request(
    '/api/diagnosis',
    upload([imagePart(wall), anamnesisPart()], { token: patient.access_token }),
  );
  expect(reply.status).toBe(200);
});

async function idOf(accessToken: string): Promise<number | undefined> {
  const rows = await tenantRows<{ id: number }>(app, 'SELECT id FROM users WHERE uuid = $1', [
    claimsOf(accessToken).sub,
  ]);
  return rows[0]?.id;
}

const tenants = new Map<string, Promise<number>>();

function tenantOf(slug: string): Promise<number> {
  const known = tenants.get(slug) ?? createTenant(app, slug);
  tenants.set(slug, known);
  return known;
}
