// npm run db:plans [-- --scale 0.01] [--latency]: how PostgreSQL runs every query of the app on a large database.
import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrateToLatest } from '../../../src/cli/migrate.ts';
import { seedDemo } from '../../../src/cli/seed.ts';
import { readScenarios } from '../../../test/endpoints/read-scenarios.ts';
import { currentDocument } from '../openapi/read-recorded.ts';
import { startHost } from '../../packages/functions-host/host.ts';
import { readAppFiles } from '../../packages/functions-host/settings.ts';
import { type Lifecycle, run } from '../../services/lifecycle.ts';
import { startAiService } from '../../services/ai.ts';
import { ensureContainer, startAzurite } from '../../services/azurite.ts';
import { removeWhenKilled } from '../../services/child.ts';
import { lockFolder } from '../../services/folder-lock.ts';
import { ensureDatabase, query, startPostgres } from '../../services/postgres.ts';
import { seconds } from '../../services/start-services.ts';
import { startWebPubSub } from '../../services/web-pubsub.ts';
import { unlimited } from '../../run/unlimited.ts';
import { type Executed, LOG_LINE_PREFIX, readLog } from './plan.ts';
import { compareLatency } from './latency.ts';
import { report as reportPlans, type Run } from './report.ts';
import { judgeSearches } from './searches.ts';
import { seedLargely, sizesAt } from './seed.ts';
import type { Sizes } from './seed-values.ts';
import { leftOut, steps } from './play.ts';

const USAGE = `usage: npm run db:plans [-- --scale FRACTION] [--latency]
  --scale    of 1 million users and 10 million tokens; 1 by default, which takes minutes and some GB of disk
  --latency  compare the latency of requests with that on a database of a hundredth, over HTTP, in turns`;

interface Databases {
  databaseUrl: string;
  superuserUrl: string;
}

const root = join(import.meta.dirname, '..', '..', '..');
/** The scale from which on each filter of the search is tried with each order. */
const judgedFrom = 0.1;
const DATABASE = 'plans';
const SMALL_DATABASE = 'plans_small';

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
  const folder = await lockFolder(path, 'npm run db:plans');
  life.undo(folder.release);
  const sizes = sizesAt(scale);
  console.log(`${sizes.tenants} tenants, ${sizes.users} users, ${sizes.refreshTokens} refresh tokens:`);
  const startedAt = performance.now();
  const logFile = join(path, 'postgres.log');
  const postgres = await startPostgres(folder, { superuserPassword: secret(), logFile, throwAway: true });
  life.undo(postgres.child.stop);
  // Loading so much would else be one checkpoint after the other.
  await query(postgres.superuserUrl, `ALTER SYSTEM SET max_wal_size = '16GB'`);
  await query(postgres.superuserUrl, `ALTER SYSTEM SET log_line_prefix = '${LOG_LINE_PREFIX}'`);
  await query(postgres.superuserUrl, 'SELECT pg_reload_conf()');
  const owner = { role: 'dermagate', password: secret() };
  const report = (line: string) => console.log(`  ${line}`);
  const { databaseUrl, superuserUrl } = await seeded(
    postgres,
    { ...owner, database: DATABASE },
    sizes,
    report,
  );
  console.log(`  seeded in ${seconds(startedAt)}\n`);
  const settings = await startServices(life, path);
  if (latency) await measureLatency(postgres, owner, { databaseUrl, superuserUrl }, settings);

  await explainEverything(superuserUrl);
  const rows = await tableSizes(superuserUrl);
  const output: string[] = [];
  const env = { ...settings, DATABASE_URL: databaseUrl };
  const host = await startApp(env, (line) => void output.push(line));
  life.undo(() => host.stop());
  await seedDemo(databaseUrl, env);
  const played = steps(
    {
      request: (target, init) => fetch(new URL(target, host.url), init),
      output,
      drainOutbox: () => host.runTimer('drainOutbox'),
      sql: async (text) =>
        void (await query(databaseUrl, `SELECT set_config('app.tenant', '1', false); ${text}`)),
    },
    await readScenarios(),
    currentDocument(),
    (name) => host.runTimer(name),
  );
  const known = new Set([...played.map(({ name }) => name), ...leftOut]);
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
  console.log(`\n${seconds(startedAt)}, ${faults} faults`);
  await life.end(faults === 0 ? 0 : 1);
});

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

function secret(): string {
  return randomBytes(48).toString('base64');
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
  for (const [name, value] of Object.entries(settings)) {
    await query(superuserUrl, `ALTER DATABASE ${DATABASE} SET ${name} = '${value}'`);
  }
}

async function tableSizes(superuserUrl: string): Promise<Map<string, number>> {
  const rows = (await query(
    superuserUrl,
    `SELECT relname, reltuples::float8 AS rows FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  )) as { relname: string; rows: number }[];
  return new Map(rows.map(({ relname, rows: count }) => [relname, count]));
}

/** Azurite and the reference AI service, and what an app needs besides its database. */
async function startServices(life: Lifecycle, path: string): Promise<Record<string, string>> {
  const folder = await lockFolder(join(path, 'services'), 'npm run db:plans');
  life.undo(folder.release);
  const [azurite, ai, webPubSub] = await Promise.all([
    startAzurite(folder, {
      accountKey: randomBytes(64).toString('base64'),
      logFile: join(path, 'azurite.log'),
      inMemory: true,
    }),
    startAiService(folder, { logFile: join(path, 'ai-service.log') }),
    startWebPubSub({ key: secret() }),
  ]);
  life.undo(webPubSub.stop);
  life.undo(azurite.child.stop);
  life.undo(ai.child.stop);
  await ensureContainer(azurite.connectionString, 'images');
  const { NODE_COMPILE_CACHE } = process.env;
  return {
    // A developer's own local.settings.json is out of this; an empty value counts as none.
    ...Object.fromEntries(Object.keys(readAppFiles(root).values).map((key) => [key, ''])),
    AZURE_FUNCTIONS_ENVIRONMENT: 'Development',
    STORAGE_CONNECTION_STRING: azurite.connectionString,
    AI_SERVICE_URL: ai.url,
    WEBPUBSUB_CONNECTION_STRING: webPubSub.connectionString,
    SECRET_KEY: secret(),
    PASSWORD_PEPPER: secret(),
    FIELD_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    BCRYPT_COST: '4',
    SELF_REGISTRATION_ROLES: 'patient,physician,admin',
    ...unlimited,
    ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
  };
}

async function startApp(env: Record<string, string>, output: (line: string) => void) {
  return await startHost({ app: root, main: 'src/main.ts', port: 0, inheritEnv: false, env, output });
}

/** A migrated database with rows. */
async function seeded(
  postgres: Awaited<ReturnType<typeof startPostgres>>,
  owner: Parameters<typeof ensureDatabase>[1],
  sizes: Sizes,
  line: (line: string) => void,
): Promise<Databases> {
  const databaseUrl = await ensureDatabase(postgres, owner);
  const superuserUrl = Object.assign(new URL(postgres.superuserUrl), { pathname: owner.database }).href;
  await migrateToLatest(databaseUrl);
  await seedLargely(superuserUrl, sizes, line);
  return { databaseUrl, superuserUrl };
}

/** Beside an app on a database of a hundredth, before anything else has warmed either up. */
async function measureLatency(
  postgres: Awaited<ReturnType<typeof startPostgres>>,
  owner: { role: string; password: string },
  large: Databases,
  settings: Record<string, string>,
): Promise<void> {
  const small = await seeded(
    postgres,
    { ...owner, database: SMALL_DATABASE },
    sizesAt(Math.max(0.001, scale / 100)),
    () => undefined,
  );
  const started = await Promise.all(
    [small, large].map(async ({ databaseUrl, superuserUrl }) => {
      const host = await startApp({ ...settings, DATABASE_URL: databaseUrl }, () => undefined);
      return { host, url: host.url, superuserUrl, secret: settings['SECRET_KEY'] ?? '' };
    }),
  );
  try {
    const [lesser, greater] = started;
    if (lesser === undefined || greater === undefined) throw new Error('An app has not started.');
    for (const line of await compareLatency(lesser, greater)) console.log(line);
    console.log('');
  } finally {
    await Promise.all(started.map(async ({ host }) => await host.stop()));
  }
}
