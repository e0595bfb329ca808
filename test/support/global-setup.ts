import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { TestProject } from 'vitest/node';
import { build } from 'esbuild';
import { buildApp, bundling } from '../../dev/run/build.ts';
import { startAzurite } from '../../dev/services/azurite.ts';
import { removeWhenKilled } from '../../dev/services/child.ts';
import { dieWithParent } from '../../dev/services/die-with-parent.ts';
import { lockFolder } from '../../dev/services/folder-lock.ts';
import { ensureDatabase, query, startPostgres } from '../../dev/services/postgres.ts';
import { migrateToLatest } from '../../src/cli/migrate.ts';

/** What the tests of one run share; each file takes its own database and blob container from it. */
export type TestServices = {
  superuserUrl: string;
  /** Database with all migrations and the default tenant; never connect to it. */
  template: string;
  /** Role that owns the databases, as in production no superuser. */
  owner: { role: string; password: string };
  storageConnectionString: string;
  /** The app as it deploys, bundled once for the run: its `main`, relative to the project's folder. */
  main: string;
  /** The same as a module that builds apps, for tests that run them in their own process. */
  app: string;
  /** The folder of bundled commands, relative to the project's folder. */
  commands: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    services: TestServices;
  }
}

/** Of folders that their run holds a lock on; the folders of single tests have none, and another name. */
const PREFIX = 'dermagate-run-';
const ROOT = join(import.meta.dirname, '..', '..');
const TEMPLATE = 'template_dermagate';

/**
 * One throw-away PostgreSQL and one Azurite for the run, on free ports, in a folder of their own; and the app's bundle,
 * which starts in less than half the CPU time of the sources.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  dieWithParent(() => process.exit(1));
  await removeAbandoned();
  const path = mkdtempSync(join(tmpdir(), PREFIX));
  const removed = removeWhenKilled(path);
  const folder = await lockFolder(path, 'npm test');
  const owner = { role: 'dermagate', password: randomBytes(18).toString('base64url') };

  const bundle = createBundleFolder();
  const [postgres, azurite] = await Promise.all([
    startPostgres(folder, {
      superuserPassword: randomBytes(18).toString('base64url'),
      logFile: join(path, 'postgres.log'),
      throwAway: true,
    }),
    startAzurite(folder, {
      accountKey: randomBytes(64).toString('base64'),
      logFile: join(path, 'azurite.log'),
      inMemory: true,
    }),
    bundleAll(bundle.path),
  ]);
  const templateUrl = await ensureDatabase(postgres, { ...owner, database: TEMPLATE });
  await migrateToLatest(templateUrl);
  await query(templateUrl, "INSERT INTO tenants (uuid, name, slug) VALUES (uuidv7(), 'Default', 'default')");
  project.provide('services', {
    superuserUrl: postgres.superuserUrl,
    template: TEMPLATE,
    owner,
    storageConnectionString: azurite.connectionString,
    main: relative(ROOT, join(bundle.path, 'main.js')),
    app: relative(ROOT, join(bundle.path, 'app-in-process.js')),
    commands: relative(ROOT, bundle.path),
  });
  // In watch mode.
  project.onTestsRerun(() => bundleAll(bundle.path));
  return async () => {
    await Promise.all([postgres.child.stop(), azurite.child.stop()]);
    folder.release();
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    removed();
    bundle.remove();
  };
}

/** Commands that tests start many times (cli-command.ts). */
const COMMANDS = [
  'create-admin',
  'deactivate-user',
  'erase-user',
  'outbox',
  'parameters',
  'reconcile-images',
];

/** The app, and the commands beside its workers and assets. */
async function bundleAll(outdir: string): Promise<void> {
  await buildApp(outdir);
  await build({
    ...bundling,
    absWorkingDir: ROOT,
    stdin: {
      contents: `export { createApp } from './src/app.ts';
        export { readConfig } from './src/lib/configuration/config.ts';`,
      resolveDir: ROOT,
    },
    outfile: join(outdir, 'app-in-process.js'),
  });
  await build({
    ...bundling,
    absWorkingDir: ROOT,
    entryPoints: COMMANDS.map((name) => join('src', 'cli', `${name}.ts`)),
    outdir,
    splitting: true,
    chunkNames: 'command-[name]-[hash]',
  });
}

/** Inside the project, so that the bundle finds the packages that it does not contain. */
function createBundleFolder(): { path: string; remove: () => void } {
  const local = join(ROOT, '.local');
  mkdirSync(local, { recursive: true });
  const path = mkdtempSync(join(local, 'test-app-'));
  const removed = removeWhenKilled(path);
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
      removed();
    },
  };
}

/** Removes the folders of runs that were killed together with their reaper, and ends what runs in them. */
async function removeAbandoned() {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const path = join(tmpdir(), name);
    try {
      // One that is younger may be about to be locked by the run that has just made it.
      if (Date.now() - statSync(path).mtimeMs < 60_000) continue;
      const folder = await lockFolder(path, 'npm test');
      folder.release();
      rmSync(path, { recursive: true, force: true });
    } catch {
      // In use by another run, or another user's.
    }
  }
}
