import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject, vi } from 'vitest';
import { acceptImage } from '../../src/domain/media/images/accept-image.ts';
import { problemsOf } from '../../src/lib/http/endpoint-problems.ts';
import { endpoints } from '../../src/endpoints.ts';
import { problemResponse } from '../../src/lib/http/respond.ts';
import { createImageDecoder } from '../../src/lib/image/decode.ts';
import type { Problem } from '../../src/contract/problem.ts';
import { register, resetTokenFor } from '../support/accounts.ts';
import { anotherInstance } from '../support/another-instance.ts';
import type { TestApp } from '../support/app.ts';
import { type AiRoute, hang, json, text } from '../support/fake-ai.ts';
import { skinPhoto } from '../support/images.ts';
import { photoPart } from '../support/stored-images.ts';
import { tcpProxy } from '../support/tcp-proxy.ts';
import type { Recorder } from './recorder.ts';
import { sampleRequestId } from './sample-values.ts';
import { type Answering, type Sent, send } from './send.ts';

/** The call of the AI service that fails for each operation. */
const aiRoutes: Readonly<Record<string, AiRoute>> = {
  createDiagnosis: 'red_flags',
  getNextQuestion: 'next_question',
  predictDiagnosis: 'predict_diagnosis',
  checkRedFlags: 'red_flags',
  triageCase: 'triage',
  checkImage: 'image_validity',
};

/** As the client has it: src/lib/ai/ai-client.ts. */
const slotsOfRoute = 48;

const aiRequests = (good: readonly Sent[]) =>
  good.flatMap((sent) => {
    const route = aiRoutes[sent.operation];
    return route === undefined ? [] : [{ sent, route }];
  });

/** The AI service dead, lying, silent, and asked by too many at once. */
export async function recordAiFailures(
  app: TestApp,
  { problem }: Recorder,
  good: readonly Sent[],
): Promise<void> {
  const [hasty, crowded] = await Promise.all([
    anotherInstance(app, { AI_TIMEOUT_MS: '500' }),
    anotherInstance(app, { AI_TIMEOUT_MS: '60000' }),
  ]);
  const held: ServerResponse[] = [];
  for (const { sent, route } of aiRequests(good)) {
    app.ai.reset();
    app.ai.on(route, json({ nonsense: true }));
    await problem(hasty, sent, 'ai_invalid_reply');
    app.ai.on(route, text('no', 500));
    await problem(hasty, sent, 'ai_unavailable');
    app.ai.on(route, (_request, response) => void held.push(response));
    if (sent.operation !== 'createDiagnosis') await problem(hasty, sent, 'ai_timeout');
    await fillSlots(app, crowded, sent, route);
    await problem(crowded, sent, 'busy');
    app.ai.reset();
  }
  // An instance that is told to stop waits for what it has under way.
  for (const response of held) response.destroy();
}

/** Calls that never end, as many as one route may have under way; shared by the operations that ask it. */
async function fillSlots(app: TestApp, of: Answering, sent: Sent, route: AiRoute): Promise<void> {
  if (filled.has(route)) return;
  filled.add(route);
  const other = sent.operation === 'createDiagnosis' ? redFlagsOf(sent) : sent;
  // Photos of one user wait for each other, and no more than some of them.
  const ask = async (): Promise<void> => {
    const reply = await send(of, other);
    if (reply.status !== 429) return;
    await sleep(100);
    await ask();
  };
  for (let count = 0; count < slotsOfRoute; count++) void ask().catch(() => undefined);
  await vi.waitFor(() => {
    const asked = app.ai.calls.filter(
      (call) => call.route === route && Number(call.headers['x-deadline-ms']) > 500,
    );
    if (asked.length < slotsOfRoute) throw new Error(`${asked.length} calls of ${route}`);
  }, 60_000);
}
const filled = new Set<AiRoute>();

const redFlagsOf = ({ token }: Sent): Sent => ({ operation: 'checkRedFlags', token, json: {} });

/** The hashing threads, taken by others for longer than anybody waits. */
export async function recordCrowds(
  app: TestApp,
  { problem }: Recorder,
  good: readonly Sent[],
): Promise<void> {
  const of = (operation: string) => good.find((sent) => sent.operation === operation) as Sent;
  const dear = await anotherInstance(app, { BCRYPT_COST: '14', LIMIT_HASH_WAIT_MS: '100' });
  const guess = (index: number): Sent => ({
    operation: 'logIn',
    json: { email: `guess-${index}@example.org`, password: 'wrong' },
    headers: { 'x-forwarded-for': `198.51.${index % 250}.7` },
  });
  // One that gets through uses its token up, so there are some.
  const tokens: string[] = [];
  for (let count = 0; count < 5; count++) tokens.push(await resetTokenFor(app, (await register(app)).email));
  const reset = (): Sent => ({
    operation: 'resetPassword',
    json: { token: tokens.pop(), new_password: 'another good passphrase' },
  });
  // One more than there are threads at most.
  await duringFlood(
    5,
    (index) => send(dear, guess(index)),
    async (isFull) => {
      for (const sent of [() => of('logIn'), () => of('registerUser'), () => of('changePassword'), reset]) {
        await isFull();
        await vi.waitFor(() => problem(dear, sent(), 'busy'), { timeout: 60_000, interval: 0 });
      }
    },
  );
  await dear.stop();
}

/** Keeps `count` requests under way during `work`, which learns when one of them has been 503 again. */
async function duringFlood(
  count: number,
  request: (index: number) => Promise<Response>,
  work: (isFull: () => Promise<void>) => Promise<void>,
) {
  const over = new AbortController();
  let refused = Promise.withResolvers<void>();
  const flood = Array.from({ length: count }, async (_, index) => {
    while (!over.signal.aborted) {
      const reply = await request(index);
      await reply.arrayBuffer();
      if (reply.status === 503) refused.resolve();
    }
  });
  await work(async () => {
    refused = Promise.withResolvers();
    await refused.promise;
  }).finally(() => over.abort());
  await Promise.all(flood);
}

/**
 * The decoder's queue is longer than the requests that one instance takes at a time, so that it fills up only by
 * waiting for half a minute. A short queue says the same to whoever comes too late, and so does a short one of a user.
 */
export async function recordBusyDecoder({ given }: Recorder, photo: Uint8Array): Promise<void> {
  for (const [code, options, maxWaiting] of [
    ['busy', { maxQueued: 0 }, Infinity],
    ['rate_limited', {}, 0],
  ] as const) {
    const decoder = createImageDecoder(options);
    const ofOneUser = decoder.forCaller({ id: 'one user', maxWaiting });
    const first = acceptImage(photo, ofOneUser, '/images/0');
    const refused = await acceptImage(photo, ofOneUser, '/images/1').catch(
      (error: unknown) => error as Problem,
    );
    await first;
    await decoder.close();
    const { body } = problemResponse(refused as Problem, sampleRequestId, {});
    for (const operation of ['storeImages', 'getImage']) given(operation, code, JSON.parse(body as string));
  }
}

/** An upload that hangs in the image store keeps its key; the same key for another photo is a mistake. */
export async function recordIdempotency(
  app: TestApp,
  { problem }: Recorder,
  good: readonly Sent[],
): Promise<void> {
  const connectionString = inject('services').storageConnectionString;
  const endpoint = new URL(/BlobEndpoint=([^;]+)/.exec(connectionString)?.[1] ?? '');
  const line = await tcpProxy({ host: endpoint.hostname, port: Number(endpoint.port) });
  const behind = connectionString.replace(endpoint.host, `127.0.0.1:${line.port}`);
  const instance = await anotherInstance(app, { STORAGE_CONNECTION_STRING: behind });
  const photo = await skinPhoto({ width: 64, height: 48, seed: 78, format: 'jpeg' });
  const upload = good.find(({ operation }) => operation === 'storeImages') as Sent;
  const keyed = { ...upload, form: [photoPart(photo)], headers: { 'idempotency-key': 'upload-0002' } };
  line.hang();
  const first = send(instance, keyed).catch(() => undefined);
  await vi.waitFor(async () => {
    const { rowCount } = await app.db.query(`SELECT 1 FROM idempotency_keys WHERE state = 'running'`);
    if (rowCount === 0) throw new Error('not begun');
  }, 30_000);
  await problem(app, keyed, 'idempotency_in_progress');
  await problem(app, { ...upload, headers: { 'idempotency-key': 'upload-0002' } }, 'idempotency_key_reused');
  line.reset();
  await first;
  await problem(instance, keyed, 'unavailable');
  await problem(instance, good.find(({ operation }) => operation === 'getImage') as Sent, 'unavailable');
}

/** A diagnosis whose AI service does not answer keeps its key; the same key for another reply is a mistake. */
export async function recordIdempotentDiagnosis(
  app: TestApp,
  { problem }: Recorder,
  good: readonly Sent[],
): Promise<void> {
  const hasty = await anotherInstance(app, { AI_TIMEOUT_MS: '8000' });
  const diagnosis = good.find(({ operation }) => operation === 'createDiagnosis') as Sent;
  const keyed = { ...diagnosis, headers: { 'idempotency-key': 'diagnosis-0001' } };
  app.ai.on('red_flags', hang);
  const first = send(hasty, keyed);
  await vi.waitFor(async () => {
    const { rowCount } = await app.db.query(`SELECT 1 FROM idempotency_keys WHERE state = 'running'`);
    if (rowCount === 0) throw new Error('not begun');
  }, 30_000);
  await problem(hasty, keyed, 'idempotency_in_progress');
  await problem(hasty, { ...keyed, query: { lang: 'es' } }, 'idempotency_key_reused');
  app.ai.reset();
  await first;
}

const storage = ['storeImages', 'getImage'];

/** The database away, and then there but without its tables. */
export async function recordDatabaseFailures(
  app: TestApp,
  { problem, answer }: Recorder,
  good: readonly Sent[],
): Promise<void> {
  const database = new URL(app.databaseUrl);
  const proxy = await tcpProxy({ host: database.hostname, port: Number(database.port) });
  const away = Object.assign(new URL(app.databaseUrl), { port: String(proxy.port) }).href;
  const instance = await anotherInstance(app, { DATABASE_URL: away });
  proxy.reset();
  for (const sent of good) {
    if (!storage.includes(sent.operation)) await problem(instance, withoutUse(sent), 'unavailable');
  }
  const down = { name: 'unhealthy', summary: 'The database does not answer' };
  await answer(instance, { operation: 'getHealth' }, 503, down);
  await app.db.query('ALTER SCHEMA public RENAME TO elsewhere');
  for (const sent of good) await problem(app, withoutUse(sent), 'internal_error');
}

/** Tokens that can be none are refused without the database. */
function withoutUse(sent: Sent): Sent {
  const isOpaque = sent.operation === 'refreshSession' || sent.operation === 'logOut';
  return isOpaque ? { ...sent, json: { refresh_token: `dgr_${'A'.repeat(43)}` } } : sent;
}

/** These touch neither database nor anything else that could fail on demand: their kin lend them the reply. */
export function borrowForDiscovery({ borrow }: Recorder): void {
  for (const endpoint of endpoints.filter(({ tag }) => tag === 'Health' || tag === 'Discovery')) {
    for (const code of problemsOf(endpoint)) {
      const hasOwn = endpoint.name === 'getHealth' && code === 'unavailable';
      if (code !== 'not_found' && !hasOwn) borrow(endpoint.name, code, 'getMe');
    }
  }
}
