// npm start: everything that the gateway needs, and the gateway itself, on this machine.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requireUsable } from '../../src/cli/check-settings.ts';
import { type DemoUser, seedDemo } from '../../src/cli/seed.ts';
import { banner } from './banner.ts';
import { type DemoPeople, seedCases } from './demo/cases.ts';
import { drawDemoPhoto } from './demo/photo.ts';
import { startHost } from '../packages/functions-host/host.ts';
import { withoutDemoUsers } from './demo/without-demo-users.ts';
import { type Lifecycle, run } from '../services/lifecycle.ts';
import { liveUrlOf, openPortal, portalSettings } from '../apps/portal/serve.ts';
import { isFree } from '../services/free-port.ts';
import { lockFolder } from '../services/folder-lock.ts';
import { DEFAULT_PORT, isDevelopment, seconds, startServices } from '../services/start-services.ts';
import { askOnTerminal, migrateDatabase } from './migrate-database.ts';
import { exampleSettings, givenSettings, hostSettings } from './settings.ts';
import { watchSources } from './watch-sources.ts';

const USAGE = `usage: npm start [-- --seed | --fresh]      (npm run dev: the same, restarting the app on change)
  --seed   put the demo users into a database that DATABASE_URL names, too
  --fresh  replace the database of .local, and its demo data, by an empty one
  PORT     where to listen, 7071 by default; settings come from the environment and local.settings.json
  PORTAL_PORT   where the reference portal listens, 5173 or the next free one by default`;

const root = join(import.meta.dirname, '..', '..');
const PHOTO = join('.local', 'demo', 'skin.jpg');

async function start(life: Lifecycle): Promise<void> {
  const options = readArguments();
  const startedAt = performance.now();
  const given = givenSettings(root, process.env);
  const command = options.watch ? 'npm run dev' : 'npm start';
  const folder = await lockFolder(join(root, '.local'), command);
  life.undo(folder.release);
  const port = await listenPort(given['PORT']);
  const portal = isDevelopment(given) ? await openPortal(given['PORTAL_PORT'], port) : undefined;
  if (portal !== undefined) life.undo(portal.stop);

  console.log(`Dermagate, starting in ${root}`);
  const report = (line: string) => console.log(`  ${line}`);
  const services = await startServices(folder, given, report);
  life.undo(services.stop);
  void services.death.then(life.fail);
  const settings = {
    ...given,
    ...(portal !== undefined && portalSettings(portal, given, exampleSettings(root))),
    ...services.settings,
  };
  const databaseUrl = settings['DATABASE_URL'] ?? '';
  // First, because demo users made with a pepper that the app refuses could not log in with another one.
  requireUsable(settings);

  const migration = { replace: services.replaceDatabase, command, report };
  await timed('Database migrated', report, async () => {
    const { fresh } = options;
    const applied = await migrateDatabase(databaseUrl, { ...migration, fresh, ask: askOnTerminal() });
    return applied.length === 0 ? 'up to date' : `${applied.length} applied`;
  });
  let users: readonly DemoUser[] = [];
  const why = withoutDemoUsers({
    isDevelopment: isDevelopment(settings),
    isOurs: services.replaceDatabase !== undefined,
    isAsked: options.seed,
  });
  if (why !== undefined) report(`Demo users: ${why}`);
  else {
    await timed('Demo users', report, async () => {
      users = await seedDemo(databaseUrl, settings);
      return `${users.length} ready`;
    });
  }
  await drawDemoPhoto(join(root, PHOTO));

  report('App starting …');
  const host = await startHost({
    app: root,
    main: 'src/main.ts',
    port,
    env: { ...hostSettings, ...settings },
    // An open desk always has a request in flight, for up to 25 s (SSE_HOLD_MS). Ctrl-C must not wait for it.
    shutdownGraceMs: 3000,
  });
  life.undo(() => host.stop());
  void host.ended.then((reason) => life.fail(`The functions host ended. ${reason}`));
  folder.announce(host.url, host.hostKey);
  portal?.serve({ gatewayUrl: host.url, liveUrl: liveUrlOf(settings) });
  if (options.watch) {
    // The app is connected to the database: replaced is only that of a start.
    const migrate = () => migrateDatabase(databaseUrl, { ...migration, fresh: false, ask: undefined });
    life.undo(restartOnChange(host, migrate).close);
  }
  console.log(`\nReady at ${host.url} after ${seconds(startedAt)}, ${host.functions.length} functions.\n`);
  const { inboxUrl: inbox, hasWebPubSub: isLive } = services;
  console.log(banner(host.url, users, PHOTO, { portal: portal?.url, inbox, isLive }));
  // Nothing waits for them.
  const [patient, physician] = (['patient', 'physician'] as const).map((wanted) =>
    users.find(({ role }) => role === wanted),
  );
  if (patient !== undefined && physician !== undefined)
    await seedDemoCases(host.url, databaseUrl, { patient, physician }, report);
}

/** Without them the gateway works all the same: the demo patient may have another password by now. */
async function seedDemoCases(
  url: string,
  databaseUrl: string,
  people: DemoPeople,
  report: (line: string) => void,
): Promise<void> {
  await timed('Demo cases', report, async () => {
    try {
      return `${await seedCases(url, databaseUrl, people)} ready`;
    } catch (error) {
      return `none, ${(error as Error).message}`;
    }
  });
}

function readArguments() {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const { values } = parseArgs({ options: { watch: flag, seed: flag, fresh: flag, help: flag } });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    return values;
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`, { cause: error });
  }
}

async function listenPort(text = String(DEFAULT_PORT)): Promise<number> {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new Error(`PORT=${text} is not a port number (0 to 65535).`);
  if (port !== 0 && !(await isFree(port))) {
    throw new Error(
      `Port ${port} on 127.0.0.1 is in use by another program. Choose another: PORT=7072 npm start`,
    );
  }
  return port;
}

async function timed(what: string, report: (line: string) => void, work: () => Promise<string>) {
  const startedAt = performance.now();
  const result = await work();
  report(`${what}: ${result} (${seconds(startedAt)})`);
}

function restartOnChange(host: { restartWorker(): Promise<void> }, migrate: () => Promise<string[]>) {
  return watchSources([join(root, 'src'), join(root, 'migrations')], async (file) => {
    const startedAt = performance.now();
    try {
      const applied = await migrate();
      await host.restartWorker();
      console.log(
        `${file} changed: restarted in ${seconds(startedAt)}${applied.length > 0 ? ', migrated' : ''}`,
      );
    } catch (error) {
      // The host has printed the full error.
      const [reason] = (error as Error).message.split('\n');
      console.error(`${file} changed, but the app did not restart; waiting for the next change: ${reason}`);
    }
  });
}

await run(start);
