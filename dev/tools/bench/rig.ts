// The environment of the benchmarks: temporary services, our app and the bare app, each on its own functions-host.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateToLatest } from '../../../src/cli/migrate.ts';
import { seedDemo } from '../../../src/cli/seed.ts';
import { createRequestCheck } from '../contract/request-faults.ts';
import { type Host, startHost } from '../../packages/functions-host/host.ts';
import { removeWhenKilled } from '../../services/child.ts';
import { lockFolder } from '../../services/folder-lock.ts';
import { query } from '../../services/postgres.ts';
import { startServices } from '../../services/start-services.ts';
import { exampleSettings, hostSettings } from '../../run/settings.ts';
import { unlimited } from '../../run/unlimited.ts';
import { postmasterPid } from './cpu.ts';
import { type Load, type LoadGenerator, startLoadGenerator } from './load.ts';

/** The load comes from one network and few sessions, so the limits are raised. */
const oneNetwork = {
  LIMIT_HASHES_PER_NETWORK: '64',
  LIMIT_REFRESHES_PER_SESSION: '1000000',
  // The logins of one benchmark must not end the session of the next.
  LIMIT_SESSIONS_PER_USER: '10000',
};

export const root = join(import.meta.dirname, '..', '..', '..');

export type App = {
  url: string;
  host: Host;
  /** Connection string of the role that owns the tables. */
  databaseUrl: string;
  /** The app's settings. */
  settings: Readonly<Record<string, string>>;
  /** A bearer token of the demo physician. */
  token: string;
  /** Process of PostgreSQL, where it runs on this machine. */
  postmaster: number | undefined;
  /** Processes whose processor time counts as the app's: its worker and PostgreSQL. */
  pids: readonly number[];
};

/** The worker of a host, and further processes; those that are not known are left out. */
export const pidsOf = (host: Host, ...others: (number | undefined)[]): number[] =>
  [host.workerPid(), ...others].filter((pid) => pid !== undefined);

/** PostgreSQL alone, where it runs here. */
export const databaseOf = ({ postmaster }: App): number[] => (postmaster === undefined ? [] : [postmaster]);

export type Rig = {
  /** A folder that is removed after the run. */
  folder: string;
  generator(): LoadGenerator;
  /** Our app as `npm start` runs it, started at first use. */
  app(): Promise<App>;
  /** dev/tools/bench/bare-app on a host of its own, started at first use. */
  bare(): Promise<Host>;
  /**
   * Ends the database's work on what was written so far: the autovacuum of one benchmark's rows would count as processor time
   * of the next.
   */
  settle(): Promise<void>;
  /** The last lines of our app's output. */
  output: readonly string[];
  /** Registers a cleanup step for the end, even when interrupted; steps run in reverse order. */
  undo(step: () => Promise<void> | void): void;
  /** Resolves when a service ends unexpectedly, with a message for the developer. */
  death: Promise<string>;
  stop(): Promise<void>;
};

const LINES_KEPT = 15;

const openapi = JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8')) as Record<
  string,
  unknown
>;
const contract = createRequestCheck(openapi);

/** Requests to our app must match its contract: an ignored parameter would measure something else. */
export function refuseMisspelt(load: Load): void {
  if (load.kind !== 'http' || !/^\/(?:api|healthy?)\b/.test(load.path)) return;
  const probe = { method: load.method, target: load.path };
  const isForm = load.headers?.['content-type']?.startsWith('multipart/') === true;
  const isWrongOnPurpose = load.status >= 400;
  const faults =
    isForm || isWrongOnPurpose
      ? contract.unknownQuery(probe)
      : contract.faultsOf({
          ...probe,
          body: load.body && (JSON.parse(Buffer.from(load.body).toString()) as unknown),
        });
  if (faults.length > 0) throw new Error(`${load.method} ${load.path}: ${faults.join('; ')}`);
}

export function createRig(): Rig {
  const folder = mkdtempSync(join(tmpdir(), 'dermagate-bench-'));
  const removed = removeWhenKilled(folder);
  const undo: (() => Promise<void> | void)[] = [
    () => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      removed();
    },
  ];
  const output: string[] = [];
  const { promise: death, resolve: dies } = Promise.withResolvers<string>();

  async function startApp(): Promise<App> {
    const folderLock = await lockFolder(join(folder, 'services'), 'npm run bench');
    undo.push(folderLock.release);
    const defaults = exampleSettings(root);
    const services = await startServices(folderLock, defaults, () => undefined);
    undo.push(services.stop);
    void services.death.then(dies);
    const settings: Record<string, string> = {
      ...hostSettings,
      ...defaults,
      ...services.settings,
      ...unlimited,
      ...oneNetwork,
    };
    const databaseUrl = settings['DATABASE_URL'] ?? '';
    await migrateToLatest(databaseUrl);
    const users = await seedDemo(databaseUrl, settings);
    const host = await startHost({
      app: root,
      main: 'src/main.ts',
      port: 0,
      env: settings,
      // Log lines are produced but not printed: a terminal would be part of the measurement.
      output(line) {
        output.push(line);
        if (output.length > LINES_KEPT) output.shift();
      },
    });
    undo.push(() => host.stop());
    const physician = users.find(({ role }) => role === 'physician');
    if (physician === undefined) throw new Error('The seed has no physician.');
    const token = await logIn(host.url, physician);
    const postmaster = await postmasterPid(databaseUrl);
    const pids = pidsOf(host, postmaster);
    return { url: host.url, host, databaseUrl, settings, token, postmaster, pids };
  }

  async function startBare(): Promise<Host> {
    const app = join(import.meta.dirname, 'bare-app');
    const host = await startHost({ app, port: 0, output: () => undefined });
    undo.push(() => host.stop());
    return host;
  }

  function startGenerator(): LoadGenerator {
    const generator = startLoadGenerator();
    undo.push(() => generator.stop());
    return { ...generator, run: (order) => (refuseMisspelt(order.load), generator.run(order)) };
  }

  let app: Promise<App> | undefined;
  let bare: Promise<Host> | undefined;
  let generator: LoadGenerator | undefined;
  let stopped: Promise<void> | undefined;
  async function stop(): Promise<void> {
    // Services must have started before they can be stopped.
    await Promise.allSettled([app, bare]);
    for (const step of undo.toReversed()) await step();
  }
  return {
    folder,
    output,
    death,
    undo: (step) => void undo.push(step),
    app: () => (app ??= startApp()),
    bare: () => (bare ??= startBare()),
    generator: () => (generator ??= startGenerator()),
    settle: async () => void (app && (await query((await app).databaseUrl, 'VACUUM ANALYZE'))),
    stop: () => (stopped ??= stop()),
  };
}

export async function logIn(
  url: string,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`Login answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}
