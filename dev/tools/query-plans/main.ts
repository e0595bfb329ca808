// npm run db:plans [-- --scale 0.01]: how PostgreSQL runs every query of the app on a large database.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
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
import { unlimited } from '../../run/unlimited.ts';
import { LOG_LINE_PREFIX, readLog } from './plan.ts';
import { report, type Run } from './report.ts';
import { seedLargely, sizesAt } from './seed.ts';
import { leftOut, steps } from './play.ts';

const USAGE = `usage: npm run db:plans [-- --scale FRACTION]
  --scale  of 1 million users and 10 million tokens; 1 by default, which takes minutes and some GB of disk`;

const root = join(import.meta.dirname, '..', '..', '..');
const DATABASE = 'plans';

function readScale(): number {
  try {
    const { values } = parseArgs({
      options: { scale: { type: 'string', default: '1' }, help: { type: 'boolean' } },
    });
    if (values.help === true) {
      console.log(USAGE);
      process.exit(0);
    }
    const scale = Number(values.scale);
    if (!(scale >= 0.001 && scale <= 10)) throw new Error(`--scale ${values.scale} is not 0.001 to 10.`);
    return scale;
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    return process.exit(2);
  }
}

const scale = readScale();
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
  const owner = { role: 'dermagate', password: secret(), database: DATABASE };
  const databaseUrl = await ensureDatabase(postgres, owner);
  const superuserUrl = Object.assign(new URL(postgres.superuserUrl), { pathname: DATABASE }).href;
  await migrateToLatest(databaseUrl);
  await seedLargely(superuserUrl, sizes, (line) => console.log(`  ${line}`));
  console.log(`  seeded in ${seconds(startedAt)}\n`);
  await explainEverything(superuserUrl);
  const rows = await tableSizes(superuserUrl);

  const output: string[] = [];
  const { host, env } = await startApp(life, path, databaseUrl, output);
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
    const from = statSync(logFile).size;
    await play();
    const executed = readLog(readFileSync(logFile).subarray(from).toString(), 'dermagate');
    runs.set(name, { name, executed: [...(runs.get(name)?.executed ?? []), ...executed] });
  }
  const faults = report([...runs.values()], (table) => rows.get(table) ?? 0);
  console.log(`\n${seconds(startedAt)}, ${faults} faults`);
  await life.end(faults === 0 ? 0 : 1);
});

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

async function startApp(life: Lifecycle, path: string, databaseUrl: string, output: string[]) {
  const folder = await lockFolder(join(path, 'services'), 'npm run db:plans');
  life.undo(folder.release);
  const [azurite, ai] = await Promise.all([
    startAzurite(folder, {
      accountKey: randomBytes(64).toString('base64'),
      logFile: join(path, 'azurite.log'),
      inMemory: true,
    }),
    startAiService(folder, { logFile: join(path, 'ai-service.log') }),
  ]);
  life.undo(azurite.child.stop);
  life.undo(ai.child.stop);
  await ensureContainer(azurite.connectionString, 'images');
  const { NODE_COMPILE_CACHE } = process.env;
  const env = {
    // A developer's own local.settings.json is out of this; an empty value counts as none.
    ...Object.fromEntries(Object.keys(readAppFiles(root).values).map((key) => [key, ''])),
    AZURE_FUNCTIONS_ENVIRONMENT: 'Development',
    DATABASE_URL: databaseUrl,
    STORAGE_CONNECTION_STRING: azurite.connectionString,
    AI_SERVICE_URL: ai.url,
    SECRET_KEY: secret(),
    PASSWORD_PEPPER: secret(),
    FIELD_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    BCRYPT_COST: '4',
    SELF_REGISTRATION_ROLES: 'patient,physician,admin',
    ...unlimited,
  };
  const host = await startHost({
    app: root,
    main: 'src/main.ts',
    port: 0,
    inheritEnv: false,
    env: NODE_COMPILE_CACHE === undefined ? env : { ...env, NODE_COMPILE_CACHE },
    output: (line) => void output.push(line),
  });
  life.undo(() => host.stop());
  return { host, env };
}
