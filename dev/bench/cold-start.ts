// From the start of the worker's process to its first answer: the bundle that deploys beside an empty function app,
// bundled alike. No database is needed: nothing is connected before the first query.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundling } from '../build.ts';
import { startHost } from '../host/host.ts';
import { packageApp } from '../package.ts';
import { significant } from './compare.ts';
import type { Rig } from './rig.ts';
import { median } from './statistics.ts';
import { table } from './table.ts';

export const name = 'cold-start';

const ROUNDS = 11;

export async function run(rig: Rig): Promise<string> {
  const { folder: app } = await packageApp(join(rig.folder, 'package'));
  const bare = await bundleBareApp(join(rig.folder, 'bare-app'));
  const nowhere = 'http://127.0.0.1:9';
  const settings = {
    AZURE_FUNCTIONS_ENVIRONMENT: 'Production',
    DATABASE_URL: 'postgresql://nobody:nothing@127.0.0.1:9/none',
    AI_SERVICE_URL: nowhere,
    STORAGE_ACCOUNT_URL: nowhere,
    SECRET_KEY: randomBytes(48).toString('base64'),
    PASSWORD_PEPPER: randomBytes(48).toString('base64'),
    FIELD_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  };
  const ours: number[] = [];
  const theirs: number[] = [];
  // The first round of each fills the disk cache and does not count.
  for (let round = 0; round <= ROUNDS; round++) {
    const one = await timeToAnswer(app, '/healthy', settings);
    const other = await timeToAnswer(bare, '/bare', {});
    if (round > 0) ours.push(one);
    if (round > 0) theirs.push(other);
  }
  const ratio = median(ours.map((ms, round) => ms / (theirs[round] ?? Number.NaN)));
  const row = (label: string, times: number[]) => [
    label,
    ...[median(times), Math.min(...times)].map(significant),
  ];
  console.log(`\nProcess start to first answer, ${ROUNDS} rounds in turn`);
  console.log(
    table(
      ['', 'median ms', 'least ms'],
      [
        row('GET /healthy of the bundle', ours),
        row('empty function app, bundled', theirs),
        ['  ratio', `× ${significant(ratio)}`, ''],
      ],
    ),
  );
  return `cold start × ${significant(ratio)} of an empty app`;
}

async function timeToAnswer(app: string, path: string, env: Record<string, string>): Promise<number> {
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
