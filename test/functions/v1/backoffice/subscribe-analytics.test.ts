import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import type { AnalyticsMessage } from '../../../../src/domain/delivery/analytics/publication.ts';
import { createTenant, register } from '../../../support/accounts.ts';
import { anotherInstance } from '../../../support/another-instance.ts';
import { testApp } from '../../../support/app.ts';
import { handle } from '../../../support/case-work.ts';
import { afterwards } from '../../../support/cleanup.ts';
import {
  newPhysician,
  type Physician,
  type QueuedCase,
  queueCases,
  takeNext,
} from '../../../support/queue-stage.ts';
import { listenTo, refusalOf, webPubSub } from '../../../support/web-pubsub.ts';

const { connectionString } = await webPubSub();
const app = await testApp({ env: { WEBPUBSUB_CONNECTION_STRING: connectionString } });
const second = await anotherInstance(app);
const path = '/api/v1/backoffice/subscribe-analytics';

interface Subscription {
  url: string;
  protocol: string;
  hub: string;
  group: string;
  expires_at: string;
}

type Asked = Pick<typeof app, 'request'>;
const negotiate = ({ token }: { token: string }, to: Asked = app) => to.request(path, { token });

type Frame = { type: string; from?: string; group?: string; data: AnalyticsMessage };
const isCounts = ({ type }: Frame) => type === 'message';
const isDelta = (frame: Frame) => isCounts(frame) && frame.data.type === 'delta';

async function follow(physician: { token: string }, to: Asked = app) {
  const { url, protocol } = (await (await negotiate(physician, to)).json()) as Subscription;
  return await listenTo<Frame>(url, [protocol]);
}

let tenants = 0;
/** A tenant with one physician, who may follow its counts, and these cases in its queue. */
async function clinic(...cases: QueuedCase[]): Promise<Physician & { tenantId: number; slug: string }> {
  const slug = `counted-${(tenants += 1)}`;
  const tenantId = await createTenant(app, slug);
  const physician = await newPhysician(app, { tenant: slug, capabilities: ['analytics.read'] });
  await queueCases(app, cases, tenantId);
  return { ...physician, tenantId, slug };
}

const documented = (
  'type from group dataType data at seq tenant_id queue by_triage emergency urgent_24h soon_2_weeks routine self_care ' +
  'by_lane pool language waiting overdue oldest_due_at in_review on_hold answered_last_hour median_minutes_to_answer_24h physicians_active ai state p95_ms'
).split(' ');

/** The counts of a tenant without any case, with these instead. */
const counts = (tenantId: number, queue: object, others: object = {}) => ({
  at: expect.stringMatching(/^\d{4}-.*Z$/),
  seq: expect.any(Number),
  tenant_id: tenantId,
  queue: {
    by_triage: { emergency: 0, urgent_24h: 0, soon_2_weeks: 0, routine: 0, self_care: 0 },
    by_lane: [],
    overdue: 0,
    oldest_due_at: null,
    ...queue,
  },
  in_review: 0,
  on_hold: 0,
  answered_last_hour: 0,
  median_minutes_to_answer_24h: null,
  physicians_active: 0,
  ai: { state: 'unknown', p95_ms: null },
  ...others,
});

test('it answers where to connect, for an hour, to admins and to members of a group that may', async () => {
  const { tenantId, ...member } = await clinic();
  const admin = await register(app, { role: 'admin' });
  for (const [token, tenant] of [
    [member.token, tenantId],
    [admin.access_token, 1],
  ] as const) {
    const reply = await negotiate({ token });
    const before = Date.now();
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const body = (await reply.json()) as Subscription;
    expect([reply.status, body]).toEqual([
      200,
      {
        url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/client\/hubs\/analytics\?access_token=\S+$/),
        protocol: 'json.webpubsub.azure.v1',
        hub: 'analytics',
        group: expect.stringMatching(new RegExp(`^tenant-${tenant}-\\d+$`)),
        expires_at: expect.any(String),
      },
    ]);
    const minutes = (Date.parse(body.expires_at) - before) / 60_000;
    expect(minutes).toBeGreaterThan(59);
    expect(minutes).toBeLessThanOrEqual(60);
  }
  const physician = await newPhysician(app);
  const patient = await register(app);
  const codes = await Promise.all(
    [physician.token, patient.access_token, 'no-token'].map(async (token) => {
      const reply = await negotiate({ token });
      return [reply.status, ((await reply.json()) as { code: string }).code];
    }),
  );
  expect(codes).toEqual([
    [403, 'capability_required'],
    [403, 'forbidden'],
    [401, 'token_invalid'],
  ]);
});

test('a WebSocket that is opened at the route itself is refused, and learns why', async () => {
  const { token } = await clinic();
  const address = new URL(path, app.url).href.replace('http', 'ws');
  const { status, text } = await refusalOf(address, { authorization: `Bearer ${token}` });
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ code: 'websocket_negotiate_first' });
});

test('without Web PubSub it is 503, and says how often to poll', async () => {
  const without = await anotherInstance(app, { WEBPUBSUB_CONNECTION_STRING: '' });
  const reply = await negotiate(await clinic(), without);
  expect(reply.status).toBe(503);
  expect(reply.headers.get('retry-after')).toBe('30');
  expect(await reply.json()).toMatchObject({ code: 'live_unavailable', poll_after_seconds: 30 });
  expect((await negotiate(await newPhysician(app), without)).status).toBe(403);
  // Nothing of the SDK is needed for that, nor is there anything to publish.
  await without.runTimer('publishAnalytics');
});

test('the same counts can be read without a WebSocket, by those who may follow them', async () => {
  const { tenantId, ...doctor } = await clinic(
    { dueIn: -5 },
    { lanePool: 'hand-clinic', laneLanguage: 'he' },
    { lanePool: 'hand-clinic', laneLanguage: 'he' },
  );
  const reply = await app.request('/api/v1/backoffice/analytics', { token: doctor.token });
  const { seq: _none, tenant_id: _other, ...none } = counts(tenantId, {});
  expect([reply.status, await reply.json()]).toEqual([
    200,
    {
      ...none,
      queue: {
        ...none.queue,
        by_triage: { ...none.queue.by_triage, routine: 3 },
        by_lane: [
          { pool: 'hand-clinic', language: 'he', waiting: 2, overdue: 0 },
          { pool: 'general', language: 'en', waiting: 1, overdue: 1 },
        ],
        overdue: 1,
        oldest_due_at: expect.any(String),
      },
    },
  ]);
});

test('a newcomer gets a snapshot at once, and a message when something has changed', async () => {
  const dueIn = -90;
  const { tenantId, ...doctor } = await clinic({ rank: 0, dueIn }, { rank: 1 }, { rank: 2 }, { rank: 2 });
  const screen = await follow(doctor);
  const { data: shown, ...envelope } = await screen.first(isCounts);
  expect(envelope).toEqual({ type: 'message', from: 'server', dataType: 'json' });
  const waiting = { emergency: 1, urgent_24h: 1, soon_2_weeks: 0, routine: 2, self_care: 0 };
  const lane = { pool: 'general', language: 'en' };
  const by_lane = [{ ...lane, waiting: 4, overdue: 1 }];
  const queued = { by_triage: waiting, by_lane, overdue: 1, oldest_due_at: expect.any(String) };
  expect(shown).toEqual({ type: 'snapshot', ...counts(tenantId, queued) });
  expect(Math.abs(Date.parse(shown.queue.oldest_due_at ?? '') - Date.now() - dueIn * 60_000)).toBeLessThan(
    60_000,
  );

  expect((await takeNext(app, doctor)).case).not.toBeNull();
  const { data: changed, ...sent } = await screen.first(isDelta);
  expect(sent).toEqual({
    type: 'message',
    from: 'group',
    group: expect.stringMatching(new RegExp(`^tenant-${tenantId}-\\d+$`)),
    dataType: 'json',
  });
  const left = {
    by_triage: { ...waiting, emergency: 0 },
    by_lane: [{ ...lane, waiting: 3, overdue: 0 }],
    overdue: 0,
    oldest_due_at: expect.any(String),
  };
  expect(changed).toEqual({
    type: 'delta',
    ...counts(tenantId, left, { in_review: 1, physicians_active: 1 }),
  });
  expect(changed.seq).toBeGreaterThan(shown.seq);
  // One who joins later begins with the state as it is, and with the number of the last change.
  const later = await follow(doctor, second);
  const { data: current } = await later.first(isCounts);
  expect(current).toEqual({ ...changed, type: 'snapshot', at: expect.any(String) });
});

test('a tenant receives its own counts only, and nothing of a person or a case', async () => {
  const [here, there] = await Promise.all([clinic({ rank: 0 }, {}), clinic({}, {}, {})]);
  const screens = await Promise.all([follow(here), follow(there)]);
  await Promise.all(screens.map((screen) => screen.first(isCounts)));
  const [taken] = await Promise.all([takeNext(app, here), takeNext(second, there)]);
  const deltas = await Promise.all(screens.map((screen) => screen.first(isDelta)));
  expect(deltas.map(({ data }) => [data.tenant_id, data.queue.by_triage.routine, data.in_review])).toEqual([
    [here.tenantId, 1, 1],
    [there.tenantId, 2, 1],
  ]);
  for (const [index, { arrived }] of screens.entries()) {
    const own = index === 0 ? here : there;
    const messages = arrived.map(({ message }) => message).filter(isCounts);
    expect(messages.length).toBeGreaterThan(1);
    expect(messages.map(({ data }) => data.tenant_id)).toEqual(messages.map(() => own.tenantId));
    const text = JSON.stringify(messages);
    for (const marker of ['Rivka', taken.case?.uuid ?? '?', own.uuid, own.slug, '@example.org']) {
      expect(text).not.toContain(marker);
    }
    // The names in them are those that are documented; a further one is a decision.
    const names = text.match(/"[a-zA-Z_0-9]+"(?=:)/g)?.map((name) => name.slice(1, -1));
    expect(new Set(names)).toEqual(new Set(documented));
  }
});

test('however much happens on two instances, messages are two seconds apart, each change is told once, and the last one is true', async () => {
  const { tenantId, slug, ...doctor } = await clinic();
  const colleague = await newPhysician(app, { tenant: slug });
  const screen = await follow(doctor);
  await screen.first(isCounts);
  const enough = new AbortController();
  let cases = 0;
  const busy = async (to: Asked, physician: Physician) => {
    while (!enough.signal.aborted) {
      await queueCases(app, [{}], tenantId);
      cases += 1;
      const { case: taken } = await takeNext(to, physician);
      const released = { action: 'release', reason: 'other', version: taken?.version };
      expect((await handle(to, physician, taken?.uuid ?? '', released)).status).toBe(200);
    }
  };
  const work = Promise.all([busy(app, doctor), busy(second, colleague)]);
  const deltas = () => screen.arrived.filter(({ message }) => isDelta(message));
  const third = screen.first((frame) => isDelta(frame) && deltas().length >= 3);
  await Promise.race([third, work]);
  enough.abort();
  await work;
  await screen.first(
    (frame) => isDelta(frame) && frame.data.queue.by_triage.routine === cases && frame.data.in_review === 0,
  );
  const told = deltas().map(({ message, at }) => ({ ...message.data, arrivedAt: at }));
  expect(told.length).toBeGreaterThanOrEqual(3);
  expect(cases).toBeGreaterThan(3 * told.length);
  expect(told.map(({ seq }) => seq)).toEqual(told.map((_, n) => (told[0]?.seq ?? 0) + n));
  const apart = told.slice(1).map((each, n) => Date.parse(each.at) - Date.parse(told[n]?.at ?? ''));
  for (const ms of apart) expect(ms).toBeGreaterThanOrEqual(2000);
  const arrivedApart = told.slice(1).map((each, n) => each.arrivedAt - (told[n]?.arrivedAt ?? 0));
  for (const ms of arrivedApart) expect(ms).toBeGreaterThan(1500);
  console.info(`${3 * cases} changes by two instances, messages ${apart.join(', ')} ms apart`);
});

test('what changes without a request is published by the timer, once, and only what is new', async () => {
  const { tenantId, ...doctor } = await clinic({});
  const screen = await follow(doctor);
  await screen.first(isCounts);
  await app.runTimer('publishAnalytics');
  await screen.first(isDelta);
  await app.runTimer('publishAnalytics');
  await queueCases(app, [{ rank: 0 }], tenantId);
  const told = new AbortController();
  const isTold = screen.first((frame) => isDelta(frame) && frame.data.queue.by_triage.emergency === 1);
  void isTold.then(() => told.abort());
  // Two seconds after the message before, whichever instance is asked.
  while (!told.signal.aborted) {
    await Promise.all([app, second].map((each) => each.runTimer('publishAnalytics')));
  }
  expect(screen.arrived.filter(({ message }) => isDelta(message))).toHaveLength(2);
});

test.each(['hangs', 'is down'])(
  'a service that %s delays no request and no shutdown, and its token is in no log',
  async (how) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
    const sockets = new Set<{ destroy(): void }>();
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
    });
    if (how === 'is down') await close();
    else {
      afterwards(async () => {
        for (const socket of sockets) socket.destroy();
        await close();
      });
    }
    const broken = await anotherInstance(app, {
      WEBPUBSUB_CONNECTION_STRING: connectionString.replace(/Port=\d+/, `Port=${port}`),
    });
    const { tenantId, ...doctor } = await clinic();
    const url = ((await (await negotiate(doctor, broken)).json()) as Subscription).url;
    const failures = () => broken.output.filter((line) => line.includes('analytics_unpublished')).length;
    let delayed = 0;
    for (let n = 0; n < 8; n++) {
      await queueCases(app, [{}], tenantId);
      const before = failures();
      expect((await takeNext(broken, doctor)).status).toBe(200);
      if (failures() > before) delayed += 1;
    }
    // A service that hangs is given five seconds: a request that waited for it would hear of it first. One may see the end
    // of what an earlier one has begun.
    if (how === 'hangs') expect(delayed).toBeLessThan(4);
    else await expect.poll(failures).toBeGreaterThan(0);
    await broken.stop();
    expect(broken.output.join('\n')).not.toContain('is killed');
    const token = new URL(url).searchParams.get('access_token') ?? '?';
    expect(broken.output.join('\n')).not.toContain(token);
    // What did not get through is told as soon as it can be.
    const screen = await follow(doctor);
    const { data } = await screen.first(isCounts);
    expect(data.in_review).toBeGreaterThan(0);
  },
);
