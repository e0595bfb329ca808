// npm run db:plans [-- --scale 0.01] [--latency]: how PostgreSQL runs every query of the app on a large database.
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { everyMinuteFunction } from '../../../src/lib/timers/run-due.ts';
import { seedDemo } from '../../../src/cli/seed.ts';
import { readScenarios } from '../../../test/endpoints/read-scenarios.ts';
import { removeWhenKilled } from '../../services/child.ts';
import { type Lifecycle, run } from '../../services/lifecycle.ts';
import { query } from '../../services/postgres.ts';
import { seconds } from '../../services/start-services.ts';
import { currentDocument } from '../openapi/documented-examples.ts';
import { type Databases, secret, seeded, startApp, startServer, startServices } from './large-database.ts';
import { compareLatency } from './latency.ts';
import { type Executed, readLog } from './plan.ts';
import { leftOut, steps } from './play.ts';
import { report as reportPlans, type Run } from './report.ts';
import { judgeSearches } from './searches.ts';
import { sizesAt } from './seed.ts';
import type { Sizes } from './seed-values.ts';

const USAGE = `usage: npm run db:plans [-- --scale FRACTION] [--latency]
  --scale    of 1 million users and 10 million tokens; 1 by default, which takes minutes and some GB of disk
  --latency  instead of the plans: the latency of requests, compared with a database of a hundredth (at least of 10,000
             cases), over HTTP, in turns`;

/** The scale from which on each filter of the search is tried with each order. */
const judgedFrom = 0.1;

function readOptions(): { scale: number; latency: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        scale: { type: 'string', default: '1' },
        latency: { type: 'boolean', default: false },
        help: { type: 'boolean' },
      },
    });
    if (values.help === true) {
      console.log(USAGE);
      process.exit(0);
    }
    const scale = Number(values.scale);
    if (!(scale >= 0.001 && scale <= 10)) throw new Error(`--scale ${values.scale} is not 0.001 to 10.`);
    return { scale, latency: values.latency };
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    return process.exit(2);
  }
}

const { scale, latency } = readOptions();
await run(async (life) => {
  const path = mkdtempSync(join(tmpdir(), 'dermagate-plans-'));
  const removed = removeWhenKilled(path);
  life.undo(() => {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    removed();
  });
  const startedAt = performance.now();
  const logFile = join(path, 'postgres.log');
  const postgres = await startServer(life, path, logFile);
  const owner = { role: 'dermagate', password: secret() };
  const create = async (database: string, sizes: Sizes) => {
    console.log(`${sizes.tenants} tenants, ${sizes.users} users, ${sizes.refreshTokens} refresh tokens:`);
    return await seeded(postgres, { ...owner, database }, sizes, (line) => console.log(`  ${line}`));
  };
  const large = await create('plans', sizesAt(scale));
  const small = latency ? await create('plans_small', sizesAt(Math.max(0.01, scale / 100))) : undefined;
  console.log(`  seeded in ${seconds(startedAt)}\n`);
  const settings = await startServices(life, path);
  const faults =
    small === undefined
      ? await judgePlans(life, large, settings, logFile)
      : await measureLatency(life, { small, large }, settings);
  console.log(`\n${seconds(startedAt)}, ${faults} faults`);
  await life.end(faults === 0 ? 0 : 1);
});

/** @returns the number of faults that it has printed. */
async function measureLatency(
  life: Lifecycle,
  databases: Record<'small' | 'large', Databases>,
  settings: Record<string, string>,
): Promise<number> {
  const start = async ({ databaseUrl, superuserUrl }: Databases) => {
    const host = await startApp({ ...settings, DATABASE_URL: databaseUrl }, () => undefined);
    life.undo(() => host.stop());
    return { url: host.url, superuserUrl, secret: settings['SECRET_KEY'] ?? '' };
  };
  const sides = { small: await start(databases.small), large: await start(databases.large) };
  return await compareLatency(sides, (line) => console.log(line));
}

/** @returns the number of faults that it has printed. */
async function judgePlans(
  life: Lifecycle,
  { databaseUrl, superuserUrl }: Databases,
  settings: Record<string, string>,
  logFile: string,
): Promise<number> {
  await explainEverything(superuserUrl);
  const rows = await tableSizes(superuserUrl);
  const output: string[] = [];
  const env = { ...settings, DATABASE_URL: databaseUrl };
  const host = await startApp(env, (line) => void output.push(line));
  life.undo(() => host.stop());
  await seedDemo(databaseUrl, env);
  const owner = new pg.Client({ connectionString: databaseUrl });
  // The next query reports a lost connection; an unhandled event would end the process without its cleanup.
  owner.on('error', () => undefined);
  await owner.connect();
  life.undo(() => owner.end());
  await owner.query(`SELECT set_config('app.tenant', '1', false)`);
  const played = steps(
    {
      request: (target, init) => fetch(new URL(target, host.url), init),
      output,
      drainOutbox: () => host.runTimer(everyMinuteFunction.name, 'drainOutbox'),
      sql: async (text) => void (await owner.query(text)),
    },
    await readScenarios(),
    currentDocument(),
    (name) => host.runTimer(everyMinuteFunction.name, name),
  );
  const known = new Set([...played.map(({ name }) => name), ...leftOut, everyMinuteFunction.name]);
  const forgotten = host.functions.map(({ name }) => name).filter((name) => !known.has(name));
  if (forgotten.length > 0) throw new Error(`test/endpoints has no scenario for ${forgotten.join(', ')}.`);
  const runs = new Map<string, Run>();
  for (const { name, prepare } of played) {
    const play = await prepare();
    const executed = await executedBy(logFile, play);
    runs.set(name, { name, executed: [...(runs.get(name)?.executed ?? []), ...executed] });
  }
  const rowsOf = (table: string) => rows.get(table) ?? 0;
  let faults = reportPlans([...runs.values()], rowsOf);
  // A small table is sorted at no cost.
  if (scale >= judgedFrom) {
    const side = { url: host.url, superuserUrl, secret: settings['SECRET_KEY'] ?? '' };
    faults += await judgeSearches(side, (work) => executedBy(logFile, work), rowsOf);
  }
  return faults;
}

/** What the app has executed during `work`. */
async function executedBy(logFile: string, work: () => Promise<void>): Promise<Executed[]> {
  const from = statSync(logFile).size;
  await work();
  return readLog(readEnd(logFile, from), 'dermagate');
}

/** The text of a file from this byte on: the log grows to many times what one scenario adds. */
function readEnd(file: string, from: number): string {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(fstatSync(handle).size - from);
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, bytes.length, from));
  } finally {
    closeSync(handle);
  }
}

/** The plans of the statements as the app really ran them, inside functions as well; the app need not help. */
async function explainEverything(superuserUrl: string) {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_parameter_max_length': '0',
  };
  const statements = Object.entries(settings).map(
    ([name, value]) => `ALTER DATABASE plans SET ${name} = '${value}'`,
  );
  await query(superuserUrl, statements.join('; '));
}

async function tableSizes(superuserUrl: string): Promise<Map<string, number>> {
  const rows = (await query(
    superuserUrl,
    `SELECT relname, reltuples::float8 AS rows FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  )) as { relname: string; rows: number }[];
  return new Map(rows.map(({ relname, rows: count }) => [relname, count]));
}
