import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { seedDemo } from '../../src/cli/seed.ts';
import { type NamedScenario, readScenarios } from '../endpoints/read-scenarios.ts';
import type { Good } from '../endpoints/scenario.ts';
import { createStage } from '../endpoints/stage.ts';
import { tenantRows } from '../support/accounts.ts';
import { anotherInstance } from '../support/another-instance.ts';
import { testApp } from '../support/app.ts';
import { tcpProxy } from '../support/tcp-proxy.ts';
import { webPubSub } from '../support/web-pubsub.ts';

// The connection to PostgreSQL dies at every round trip of a request, before its statements arrive and before their replies do:
// the request succeeds or is 503, and the same request, sent again, succeeds.

/** `npm run soak` tries all operations. */
const operations = new RegExp(
  process.env['LOST_CONNECTIONS_OF'] ?? '^(?:refreshSession|v1MobileUpdateCase)$',
);

/** What a client does about a 503 besides sending it again: title of the success by operation, and why. */
const otherwise: Readonly<Record<string, Record<string, string>>> = {
  v1BackofficeUpdateAnnotation: {
    saved:
      'A draft that is saved again leaves no event that would prove it: the desk compares what is stored.',
  },
};

const { connectionString } = await webPubSub();
const env = { TRUSTED_PROXY_HOPS: '2', WEBPUBSUB_CONNECTION_STRING: connectionString };
const app = await testApp({ ai: 'real', env });
const database = new URL(app.databaseUrl);
const line = await tcpProxy({ host: database.hostname, port: Number(database.port) });
const address = Object.assign(database, { host: `127.0.0.1:${line.port}` }).href;
const instance = await anotherInstance(app, { DATABASE_URL: address });
await seedDemo(app.databaseUrl, app.env);
const sql = async (statement: string) => void (await tenantRows(app, statement));
await sql(`UPDATE users SET is_verified = true WHERE email LIKE '%@dermagate.example'`);

const scenarios = await readScenarios();
const { request, output, runTimer } = app;
const stage = createStage({ request, output, drainOutbox: () => runTimer('drainOutbox'), sql }, scenarios);

interface Tried {
  status: number;
  hasBroken: boolean;
  roundTrips: number;
  /** Sends the same bytes. */
  repeat(): Promise<number>;
}

async function attempt({ endpoint, name, as }: NamedScenario, ask: Good, broken?: Breaking): Promise<Tried> {
  const scope = await stage.setUp(ask, as);
  // So that there are connections already.
  await Promise.all([instance.request('/health'), instance.request('/health')]);
  const { roundTrip = Infinity, before = 'statements' } = broken ?? {};
  const breaking = line.breakAt(roundTrip, before);
  let repeat = async () => await Promise.resolve(0);
  const on: Parameters<typeof stage.send>[3] = {
    on: {
      async request(path, init) {
        const headers = new Headers(init.headers);
        if (endpoint.reads?.includes('idempotency-key') === true && !headers.has('idempotency-key'))
          headers.set('idempotency-key', randomUUID());
        const send = async () => await instance.request(path, { ...init, headers });
        repeat = async () => (await send()).status;
        return await send();
      },
    },
  };
  const { status } = await stage.send(name, ask, scope, on);
  return { status, repeat, hasBroken: breaking.hasBroken(), roundTrips: breaking.roundTrips() };
}

interface Breaking {
  roundTrip: number;
  before: 'statements' | 'replies';
}

const chosen = scenarios
  .filter(({ name }) => operations.test(name))
  .map((scenario) => [scenario.name, scenario] as const);

describe.each(chosen)('%s', (name, scenario) => {
  const asks = Object.entries(scenario.good).filter(
    ([title, { on }]) => on === undefined && otherwise[name]?.[title] === undefined,
  );

  test.each(asks)('%s', { timeout: 600_000 }, async (_title, ask) => {
    const undisturbed = await attempt(scenario, ask);
    const faults: string[] = [];
    let broken = 0;
    for (let roundTrip = 1; roundTrip <= undisturbed.roundTrips; roundTrip += 1) {
      for (const before of ['statements', 'replies'] as const) {
        const { status, hasBroken, repeat } = await attempt(scenario, ask, { roundTrip, before });
        if (hasBroken) broken += 1;
        if (status === undisturbed.status) continue;
        const again = await repeat();
        if (status === 503 && again === undisturbed.status) continue;
        faults.push(`round trip ${roundTrip}, before its ${before}: ${status}, then ${again}`);
      }
    }
    expect(faults).toEqual([]);
    // Some ask no database.
    expect(broken > 0).toBe(undisturbed.roundTrips > 0);
  });
});
