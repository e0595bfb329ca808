// Logins beside bcryptjs alone at the same cost, GET /healthy while logins keep every core busy, and POST refresh
// beside a bare handler and one indexed query.
import { setTimeout as sleep } from 'node:timers/promises';
import bcrypt from 'bcryptjs';
import { demoUsers } from '../../../src/cli/seed.ts';
import { type Result, usual } from './benchmark.ts';
import { compare, significant } from './compare.ts';
import { type HttpLoad, type LoadGenerator, startLoadGenerator } from './load.ts';
import { indexedQuery } from './me.ts';
import { type App, databaseOf, pidsOf, type Rig } from './rig.ts';
import { median, type Round, summarise } from './statistics.ts';
import { table } from './table.ts';

export const name = 'auth';

const [, { email, password }] = demoUsers as [unknown, { email: string; password: string }];
const json = { 'content-type': 'application/json' };

export async function run(rig: Rig): Promise<Result> {
  const app = await rig.app();
  const login: HttpLoad = {
    kind: 'http',
    method: 'POST',
    status: 200,
    origin: app.url,
    path: '/api/auth/login',
    headers: json,
    body: Buffer.from(JSON.stringify({ email, password })),
  };
  const logins = await compareLogins(rig.generator(), app, login);
  const slower = await healthyDuringLogins(rig, app, login);
  const refreshes = await compareRefreshes(rig, app);
  return {
    summary:
      `login × ${logins} of bcryptjs, healthy p99 × ${significant(slower)} during logins, ` +
      `refresh × ${refreshes.summary}`,
    goals: [
      { what: 'p99 of /healthy during logins, of idle', ratio: slower, atMost: 2 },
      { what: 'refresh, of a bare handler', ratio: refreshes.share, atLeast: 0.2 },
    ],
  };
}

async function compareLogins(generator: LoadGenerator, app: App, login: HttpLoad): Promise<string> {
  const cost = Number(app.settings['BCRYPT_COST'] || 12);
  // The length of the app's input to bcrypt: base64 of 48 bytes.
  const words = 'w'.repeat(64);
  const load = { kind: 'bcrypt', password: words, hash: await bcrypt.hash(words, cost) } as const;
  const { shares } = await compare(
    generator,
    { name: `POST /api/auth/login (cost ${cost})`, load: login },
    [{ name: 'bcryptjs alone', load }],
    { ...usual, roundMs: 4000 },
  );
  return significant(shares['bcryptjs alone'] ?? Number.NaN);
}

/** Checks that the event loop stays free: the wait of other requests while the threads hash. */
async function healthyDuringLogins(rig: Rig, { url: origin }: App, login: HttpLoad): Promise<number> {
  const generator = rig.generator();
  const background = startLoadGenerator();
  rig.undo(() => background.stop());
  const { rounds, roundMs, concurrency } = usual;
  const load = { kind: 'http', method: 'GET', path: '/healthy', status: 200, origin } as const;
  const healthy = () => generator.run({ load, concurrency: 1, durationMs: roundMs });
  await healthy();
  const idle: Round[] = [];
  const busy: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    idle.push(await healthy());
    const logins = background.run({ load: login, concurrency, durationMs: roundMs + 1000 });
    // The first reply of each connection is not counted; after it all cores hash.
    await sleep(500);
    busy.push(await healthy());
    await logins;
  }
  background.stop();
  const ratios = busy.map((round, index) => p99(round) / p99(idle[index] ?? round));
  const row = (label: string, measured: readonly Round[]) => {
    const { perSecond, p50, p95, p99: slowest } = summarise(measured);
    return [label, ...[perSecond, p50, p95, slowest].map(significant), ''];
  };
  const range = `rounds: × ${significant(Math.min(...ratios))} to ${significant(Math.max(...ratios))}`;
  console.log(`\nGET /healthy, one at a time, while ${concurrency} concurrent logins keep every core busy`);
  console.log(
    table(
      ['', 'per second', 'p50 ms', 'p95 ms', 'p99 ms', ''],
      [
        row('during logins', busy),
        row('idle', idle),
        ['  ratio', '', '', '', `× ${significant(median(ratios))}`, range],
      ],
    ),
  );
  return median(ratios);
}

const p99 = (round: Round): number => summarise([round]).p99;

async function compareRefreshes(rig: Rig, app: App): Promise<{ share: number; summary: string }> {
  const bare = await rig.bare();
  const { shares, cpuMs } = await compare(
    rig.generator(),
    {
      name: 'POST /api/auth/refresh',
      load: { kind: 'refresh', origin: app.url, email, password },
      pids: app.pids,
    },
    [
      {
        name: 'bare handler',
        load: { kind: 'http', method: 'GET', status: 200, origin: bare.url, path: '/bare' },
        pids: pidsOf(bare),
      },
      { name: 'one indexed query', load: await indexedQuery(app.databaseUrl), pids: databaseOf(app) },
    ],
    usual,
  );
  const share = (yardstick: string) => significant(shares[yardstick] ?? Number.NaN);
  const summary = `${share('bare handler')} (× ${share('one indexed query')} of one query, ${significant(cpuMs)} ms CPU)`;
  return { share: shares['bare handler'] ?? Number.NaN, summary };
}
