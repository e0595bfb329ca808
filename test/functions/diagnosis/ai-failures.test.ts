import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { register, tenantRows } from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';
import { anamnesisPart, emergencyAnamnesis, imagePart, upload } from '../../support/diagnosis.ts';
import {
  after,
  type Behaviour,
  cut,
  GOOD_REPLIES,
  half,
  hang,
  json,
  stall,
  text,
} from '../../support/fake-ai.ts';
import { skinPhoto } from '../../support/images.ts';

// When one of the three AI calls fails, the diagnosis fails: 502, nothing invented, and a record of it.

const timeoutMs = 2000;
const app = await testApp({ env: { AI_TIMEOUT_MS: String(timeoutMs) } });
const { access_token: token } = await register(app);
const photo = await skinPhoto({ width: 64, height: 48, format: 'jpeg' });

const routes = ['predict_diagnosis', 'red_flags', 'image_validity'] as const;
type Route = (typeof routes)[number];

interface Failure {
  status: number;
  code: string;
  detail: string;
  retryAfter: string | null;
  text: string;
}

let requests = 0;

/** A diagnosis of an emergency, so that an answer made up without the AI service would show. */
async function diagnose(of: Pick<typeof app, 'request'> = app): Promise<Failure & { id: string }> {
  const id = `failure-${(requests += 1)}`;
  const parts = [imagePart(photo), anamnesisPart(emergencyAnamnesis)];
  const reply = await of.request('/api/diagnosis', upload(parts, { token, headers: { 'x-request-id': id } }));
  const body = await reply.text();
  const { code = '', detail = '' } = JSON.parse(body) as Partial<Failure>;
  return { id, status: reply.status, code, detail, retryAfter: reply.headers.get('retry-after'), text: body };
}

const recorded = (id: string) =>
  tenantRows(
    app,
    'SELECT outcome, answer, anamnesis, safety_net FROM ml_diagnosis_results WHERE request_id = $1',
    [id],
  );
const events = (id: string) =>
  tenantRows(app, 'SELECT action, outcome, detail FROM event_logs WHERE request_id = $1', [id]);

/** 502 with this code, recorded once with its outcome, and nothing of an answer anywhere. */
async function expectFailure(
  failure: Awaited<ReturnType<typeof diagnose>>,
  code: string,
  outcome: string,
  route: Route,
) {
  const { id, text: body, ...answer } = failure;
  expect(answer).toMatchObject({ status: 502, code });
  expect(answer.detail).toContain(route);
  expect(Object.keys(JSON.parse(body) as object)).toEqual([
    'type',
    'title',
    'status',
    'detail',
    'code',
    'requestId',
  ]);
  expect(body).not.toMatch(/marker|airway|predictions|127\.0\.0\.1/);
  expect(await recorded(id)).toMatchObject([{ outcome, answer: null, safety_net: null }]);
  expect(await events(id)).toEqual([
    { action: 'ai_diagnosis', outcome: 'failure', detail: { outcome, failed_route: route } },
  ]);
}

beforeEach(async () => {
  app.ai.reset();
  // A working call between two failures: the service recovers, and no circuit breaker opens.
  expect((await diagnose()).status).toBe(200);
  app.ai.reset();
});

const raw = (body: string | Uint8Array, status = 200, headers: Record<string, string> = {}): Behaviour => {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };
};
const [first, second] = GOOD_REPLIES.predict_diagnosis.predictions;
const predictions = (changes: object) => json({ predictions: [{ ...first, ...changes }, second] });

describe('unavailable', () => {
  test.each<[Route, string, Behaviour]>([
    ['predict_diagnosis', 'a connection that is cut', cut],
    ['red_flags', 'a connection that is cut', cut],
    ['image_validity', 'a connection that is cut', cut],
    ['predict_diagnosis', 'half an answer', half(GOOD_REPLIES.predict_diagnosis)],
    ['red_flags', '500', json({ error: 'marker' }, 500)],
    ['image_validity', '503 as HTML', text('<h1>marker</h1>', 503)],
    ['predict_diagnosis', '502', text('marker', 502)],
    ['red_flags', '504', text('marker', 504)],
    ['image_validity', '429', text('marker', 429)],
  ])('%s: %s', async (route, _what, behaviour) => {
    app.ai.on(route, behaviour);
    const failure = await diagnose();
    await expectFailure(failure, 'ai_unavailable', 'unavailable', route);
    expect(Number(failure.retryAfter)).toBeGreaterThan(0);
  });

  test('a port on which no server listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const orphan = await anotherInstance(app, { AI_SERVICE_URL: `http://127.0.0.1:${port}` });
    const failure = await diagnose(orphan);
    expect(failure).toMatchObject({ status: 502, code: 'ai_unavailable' });
    expect(failure.text).not.toContain(String(port));
    expect(await recorded(failure.id)).toMatchObject([{ outcome: 'unavailable', answer: null }]);
  });
});

describe('an unusable reply', () => {
  const huge = JSON.stringify(GOOD_REPLIES.predict_diagnosis).padEnd(1024 * 1024 + 1);
  const nul = String.raw`{"predictions":[{"disease":"a\u0000","probability":1,"confidence":"low"}]}`;
  const cases: [Route, string, Behaviour][] = [
    ['predict_diagnosis', 'HTML with 200', text('<html>marker</html>')],
    ['red_flags', 'HTML that says it is JSON', text('<html>marker</html>', 200, 'application/json')],
    [
      'image_validity',
      'JSON that says it is text',
      text(JSON.stringify(GOOD_REPLIES.image_validity), 200, 'text/plain'),
    ],
    ['predict_diagnosis', 'an empty body', raw('')],
    ['red_flags', 'null', json(null)],
    ['image_validity', 'a list', json([GOOD_REPLIES.image_validity])],
    ['predict_diagnosis', 'a part of JSON', raw('{"predictions": [')],
    ['red_flags', 'no red flags at all', json({})],
    ['red_flags', 'red flags without urgency', json({ hasRedFlags: false, flags: [] })],
    [
      'red_flags',
      'an urgency that does not exist',
      json({ hasRedFlags: false, flags: [], urgency: 'marker' }),
    ],
    [
      'red_flags',
      'flags, but no red flags',
      json({ hasRedFlags: false, flags: ['marker'], urgency: 'high' }),
    ],
    ['image_validity', 'invalid, but nothing is wrong', json({ isValid: false, score: 0, issues: [] })],
    ['image_validity', 'a score of 2', json({ isValid: true, score: 2, issues: [] })],
    [
      'predict_diagnosis',
      'NaN',
      raw('{"predictions":[{"disease":"a","probability":NaN,"confidence":"low"}]}'),
    ],
    [
      'predict_diagnosis',
      'infinity',
      raw('{"predictions":[{"disease":"a","probability":1e999,"confidence":"low"}]}'),
    ],
    ['predict_diagnosis', 'a probability above 1', predictions({ probability: 1.01 })],
    ['predict_diagnosis', 'a probability below 0', predictions({ probability: -0.1 })],
    ['predict_diagnosis', 'a probability as text', predictions({ probability: '0.5' })],
    ['predict_diagnosis', 'a confidence that does not exist', predictions({ confidence: 'marker' })],
    ['predict_diagnosis', 'a NUL character, which no database stores', raw(nul)],
    [
      'predict_diagnosis',
      'half of a surrogate pair',
      raw(nul.replace(String.raw`\u0000`, String.raw`\ud83d`)),
    ],
    ['red_flags', 'a key twice', raw('{"hasRedFlags":true,"hasRedFlags":false,"flags":[],"urgency":"low"}')],
    ['image_validity', 'no UTF-8', raw(Buffer.from('{"isValid":true,"score":1,"issues":["é"]}', 'latin1'))],
    ['predict_diagnosis', 'more than a megabyte', raw(huge)],
    [
      'red_flags',
      'a compressed body',
      raw(gzipSync(JSON.stringify(GOOD_REPLIES.red_flags)), 200, { 'content-encoding': 'gzip' }),
    ],
    ['image_validity', '404', json({ error: 'marker' }, 404)],
    ['predict_diagnosis', '204', raw('', 204)],
    ['red_flags', '201', json(GOOD_REPLIES.red_flags, 201)],
  ];
  test.each(cases)('%s: %s', async (route, _what, behaviour) => {
    app.ai.on(route, behaviour);
    const failure = await diagnose();
    await expectFailure(failure, 'ai_invalid_reply', 'invalid_reply', route);
    expect(failure.retryAfter).toBeNull();
    expect(app.ai.calls.filter((call) => call.route === route)).toHaveLength(1);
  });

  test('a redirect is not followed', async () => {
    app.ai.on('red_flags', raw('', 302, { location: `${app.ai.url}/next_question` }));
    await expectFailure(await diagnose(), 'ai_invalid_reply', 'invalid_reply', 'red_flags');
    expect(app.ai.calls.filter(({ route }) => route === 'next_question')).toEqual([]);
  });
});

describe('an AI service that is too slow', () => {
  test.each<[Route, string, Behaviour]>([
    ['red_flags', 'takes the request and never answers', hang],
    ['image_validity', 'begins an answer and stops', stall],
  ])('%s %s: 502 when AI_TIMEOUT_MS is over', async (route, _what, behaviour) => {
    app.ai.on(route, behaviour);
    const failure = await diagnose();
    await expectFailure(failure, 'ai_unavailable', 'timeout', route);
    expect(failure.detail).toContain('did not answer in time');
  });

  test('the three calls share one deadline, and a retry gets the rest of it', async () => {
    app.ai.on('predict_diagnosis', after(300, text('', 503)), json(GOOD_REPLIES.predict_diagnosis));
    expect((await diagnose()).status).toBe(200);
    const left = (route: Route) =>
      app.ai.calls
        .filter((call) => call.route === route)
        .map(({ headers }) => Number(headers['x-deadline-ms']));
    const [firstTry = 0, retry = 0] = left('predict_diagnosis');
    expect(firstTry).toBeLessThanOrEqual(timeoutMs);
    expect(retry).toBeLessThanOrEqual(firstTry - 300);
    for (const route of ['red_flags', 'image_validity'] as const) {
      expect(left(route)).toHaveLength(1);
      expect(left(route)[0]).toBeLessThanOrEqual(timeoutMs);
    }
  });

  test('once one call has failed the others are cancelled', async () => {
    const linesBefore = app.output.length;
    const abandoned = Promise.withResolvers<void>();
    app.ai.on('red_flags', (_request, response) => void response.on('close', abandoned.resolve));
    app.ai.on('predict_diagnosis', json({ nonsense: true }));
    await expectFailure(await diagnose(), 'ai_invalid_reply', 'invalid_reply', 'predict_diagnosis');
    await abandoned.promise;
    // Called off, not run out: what has hung until the deadline says so in the log.
    expect((await diagnose()).status).toBe(502);
    expect(app.output.slice(linesBefore).filter((line) => line.includes('"outcome":"timeout"'))).toEqual([]);
  });
});

test('the content of an invalid reply stays out of the log, too', () => {
  expect(app.output.filter((line) => line.includes('marker'))).toEqual([]);
  expect(app.output.some((line) => line.includes('"code":"ai_invalid_reply"'))).toBe(true);
});
