// A large database and an app on it, for whoever looks at its queries.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { migrateToLatest } from '../../../src/cli/migrate.ts';
import { type Host, startHost } from '../../packages/functions-host/host.ts';
import { unlimited } from '../../run/unlimited.ts';
import { startAiService } from '../../services/ai.ts';
import { ensureContainer, startAzurite } from '../../services/azurite.ts';
import { lockFolder } from '../../services/folder-lock.ts';
import type { Lifecycle } from '../../services/lifecycle.ts';
import { ensureDatabase, type Postgres, query, startPostgres } from '../../services/postgres.ts';
import { startWebPubSub } from '../../services/web-pubsub.ts';
import { LOG_LINE_PREFIX } from './plan.ts';
import { seedLargely } from './seed.ts';
import type { Sizes } from './seed-values.ts';

const root = join(import.meta.dirname, '..', '..', '..');

export interface Databases {
  databaseUrl: string;
  superuserUrl: string;
}

export function secret(): string {
  return randomBytes(48).toString('base64');
}

/** A PostgreSQL of its own, which takes many rows at once. */
export async function startServer(life: Lifecycle, path: string, logFile: string): Promise<Postgres> {
  const folder = await lockFolder(path, 'npm run db:plans');
  life.undo(folder.release);
  const postgres = await startPostgres(folder, { superuserPassword: secret(), logFile, throwAway: true });
  life.undo(postgres.child.stop);
  // Loading so much would else be one checkpoint after the other.
  await query(postgres.superuserUrl, `ALTER SYSTEM SET max_wal_size = '16GB'`);
  await query(postgres.superuserUrl, `ALTER SYSTEM SET log_line_prefix = '${LOG_LINE_PREFIX}'`);
  await query(postgres.superuserUrl, 'SELECT pg_reload_conf()');
  return postgres;
}

/** Azurite and the reference AI service, and what an app needs besides its database. */
export async function startServices(life: Lifecycle, path: string): Promise<Record<string, string>> {
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
    AZURE_FUNCTIONS_ENVIRONMENT: 'Development',
    STORAGE_CONNECTION_STRING: azurite.connectionString,
    AI_SERVICE_URL: ai.url,
    WEBPUBSUB_CONNECTION_STRING: webPubSub.connectionString,
    SECRET_KEY: secret(),
    PASSWORD_PEPPER: secret(),
    FIELD_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    BCRYPT_COST: '4',
    // The host stops only after the last request of an event stream, by default 25 s.
    SSE_HOLD_MS: '5000',
    SELF_REGISTRATION_ROLES: 'patient,physician,admin',
    ...unlimited,
    ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
  };
}

export async function startApp(env: Record<string, string>, output: (line: string) => void): Promise<Host> {
  return await startHost({
    app: root,
    main: 'src/main.ts',
    port: 0,
    env,
    // Timers run as steps. The hourly clean-up beside them leaves dead rows, which look like rows read in vain.
    schedules: false,
    output,
  });
}

/** A migrated database with rows. */
export async function seeded(
  postgres: Postgres,
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
