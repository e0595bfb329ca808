// From the start of the worker's process to its first reply: the deployed bundle, compared with an empty function app bundled
// in the same way, and with the same bundle as one file.
import { randomBytes } from 'node:crypto';
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundling } from '../../run/build.ts';
import { startHost } from '../../packages/functions-host/host.ts';
import { packageApp } from '../../run/package.ts';
import { significant } from './compare.ts';
import { type Rig, root } from './rig.ts';
import { median } from './statistics.ts';
import { table } from './table.ts';

export const name = 'cold-start';

const ROUNDS = 11;

type Start = { label: string; app: string; path: string; env: Record<string, string> };

export async function run(rig: Rig): Promise<string> {
  const { folder: app } = await packageApp(join(rig.folder, 'package'));
  const { databaseUrl } = await rig.app();
  const env = settings(databaseUrl);
  const empty: Start = {
    label: 'empty function app, bundled',
    app: await bundleBareApp(join(rig.folder, 'bare-app')),
    path: '/bare',
    env: {},
  };
  const ours: Start[] = [
    { label: 'GET /healthy of the bundle', app, path: '/healthy', env },
    { label: 'GET /health: with the first connection to PostgreSQL', app, path: '/health', env },
    {
      label: 'GET /healthy of the bundle as one file',
      app: await bundleAsOneFile(app, join(rig.folder, 'one-file')),
      path: '/healthy',
      env,
    },
  ];
  const times = await measureInTurn([empty, ...ours]);
  const ratioTo = (yardstick: Start, start: Start) => {
    const theirs = times.get(yardstick) ?? [];
    const ratios = times.get(start)?.map((ms, round) => ms / (theirs[round] ?? Number.NaN)) ?? [];
    return significant(median(ratios));
  };
  const row = (start: Start) => {
    const own = times.get(start) ?? [];
    return [
      start.label,
      significant(median(own)),
      significant(Math.min(...own)),
      `× ${ratioTo(empty, start)}`,
    ];
  };
  console.log(`\nProcess start to first reply, ${ROUNDS} rounds in turn`);
  console.log(table(['', 'median ms', 'least ms', 'ratio'], [...ours, empty].map(row)));
  const [healthy, health, oneFile] = ours as [Start, Start, Start];
  return (
    `cold start × ${ratioTo(empty, healthy)} of an empty app (× ${ratioTo(empty, health)} with the database), ` +
    `as one file × ${ratioTo(healthy, oneFile)} of that`
  );
}

function settings(databaseUrl: string): Record<string, string> {
  const nowhere = 'http://127.0.0.1:9';
  return {
    AZURE_FUNCTIONS_ENVIRONMENT: 'Production',
    DATABASE_URL: databaseUrl,
    AI_SERVICE_URL: nowhere,
    STORAGE_ACCOUNT_URL: nowhere,
    SECRET_KEY: randomBytes(48).toString('base64'),
    PASSWORD_PEPPER: randomBytes(48).toString('base64'),
    FIELD_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  };
}

/** Milliseconds of every round, in alternating order; the first round fills the disk cache and does not count. */
async function measureInTurn(starts: readonly Start[]): Promise<Map<Start, number[]>> {
  const times = new Map(starts.map((start): [Start, number[]] => [start, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const start of round % 2 === 0 ? starts : starts.toReversed()) {
      const ms = await timeToAnswer(start);
      if (round > 0) times.get(start)?.push(ms);
    }
  }
  return times;
}

async function timeToAnswer({ app, path, env }: Start): Promise<number> {
  const startedAt = performance.now();
  const host = await startHost({ app, port: 0, env, inheritEnv: false, output: () => undefined });
  try {
    const response = await fetch(new URL(path, host.url));
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}.`);
    return performance.now() - startedAt;
  } finally {
    await host.stop();
  }
}

async function bundleBareApp(folder: string): Promise<string> {
  const source = join(import.meta.dirname, 'bare-app');
  mkdirSync(folder);
  await build({ ...bundling, entryPoints: [join(source, 'main.ts')], outfile: join(folder, 'main.js') });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "main": "main.js" }');
  writeFileSync(
    join(folder, 'host.json'),
    '{ "version": "2.0", "extensions": { "http": { "routePrefix": "" } } }',
  );
  return folder;
}

/** The deployed bundle, with all lazily loaded chunks inside main.js. */
async function bundleAsOneFile(app: string, folder: string): Promise<string> {
  cpSync(app, folder, { recursive: true });
  for (const file of globSync('dist/lazy-*.js', { cwd: folder })) rmSync(join(folder, file));
  const entryPoints = [join(root, 'src', 'main.ts')];
  await build({ ...bundling, entryPoints, outfile: join(folder, 'dist', 'main.js') });
  return folder;
}
