// From the start of the worker's process to its first reply: the deployed bundle, compared with an empty function app bundled
// in the same way, with itself without telemetry, and with the same bundle as one file. And the size of the package.
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundling } from '../../run/build.ts';
import { startHost } from '../../packages/functions-host/host.ts';
import { type Package, packageApp } from '../../run/package.ts';
import type { Result } from './benchmark.ts';
import { significant } from './compare.ts';
import { cpuMs } from './cpu.ts';
import { type Rig, root } from './rig.ts';
import { median } from './statistics.ts';
import { table } from './table.ts';

export const name = 'cold-start';

const ROUNDS = 11;

type Start = { label: string; app: string; path: string; env: Record<string, string> };

/** Of one start, until its first reply. */
type Cost = { ms: number; cpu: number };

export async function run(rig: Rig): Promise<Result> {
  const packed = await packageApp(join(rig.folder, 'package'));
  const app = packed.folder;
  const { databaseUrl } = await rig.app();
  const silent = settings(databaseUrl);
  const env = { ...silent, APPLICATIONINSIGHTS_CONNECTION_STRING: await telemetrySink(rig) };
  const empty: Start = {
    label: 'empty function app, bundled',
    app: await bundleBareApp(join(rig.folder, 'bare-app')),
    path: '/bare',
    env: {},
  };
  const healthy: Start = { label: 'GET /healthy of the bundle', app, path: '/healthy', env };
  const untold: Start = { label: 'GET /healthy without telemetry', app, path: '/healthy', env: silent };
  const health: Start = {
    label: 'GET /health: with the first connection to PostgreSQL',
    app,
    path: '/health',
    env,
  };
  const oneFile: Start = {
    label: 'GET /healthy of the bundle as one file',
    app: await bundleAsOneFile(app, join(rig.folder, 'one-file')),
    path: '/healthy',
    env,
  };
  const ours = [healthy, untold, health, oneFile];
  const costs = await measureInTurn([empty, ...ours]);
  const of = (start: Start, what: keyof Cost) => (costs.get(start) ?? []).map((cost) => cost[what]);
  const ratio = (start: Start, yardstick: Start, what: keyof Cost) => {
    const theirs = of(yardstick, what);
    return median(of(start, what).map((value, round) => value / (theirs[round] ?? Number.NaN)));
  };
  const row = (start: Start) => [
    start.label,
    ...(['ms', 'cpu'] as const).flatMap((what) => [
      significant(median(of(start, what))),
      significant(Math.min(...of(start, what))),
      `× ${significant(ratio(start, empty, what))}`,
    ]),
  ];
  console.log(`\nProcess start to first reply, ${ROUNDS} rounds in turn`);
  const head = ['', 'median ms', 'least ms', 'ratio', 'median CPU ms', 'least CPU ms', 'ratio'];
  console.log(table(head, [...ours, empty].map(row)));
  const share = (...pair: Parameters<typeof ratio>) => `× ${significant(ratio(...pair))}`;
  return {
    summary:
      `cold start ${share(healthy, empty, 'ms')} of an empty app, CPU ${share(healthy, empty, 'cpu')} ` +
      `(${share(health, empty, 'ms')} with the database; telemetry costs CPU ${share(healthy, untold, 'cpu')}), ` +
      `as one file ${share(oneFile, healthy, 'ms')} of that · ${sizeOf(packed)}`,
    goals: [{ what: 'cold start, of an empty app', ratio: ratio(healthy, empty, 'ms'), atMost: 1.5 }],
  };
}

/** Zipped and unpacked, and the share of the native packages. */
function sizeOf({ zip, files }: Package): string {
  const sum = (some: Package['files']) => some.reduce((total, { bytes }) => total + bytes, 0);
  const mib = (bytes: number) => `${significant(bytes / 2 ** 20)} MiB`;
  const native = sum(files.filter(({ file }) => file.startsWith('node_modules/')));
  const share = Math.round((100 * native) / sum(files));
  return `package ${mib(statSync(zip).size)}, ${mib(sum(files))} unpacked, ${share} % of it native packages`;
}

/** Starts an Application Insights that accepts everything. Returns its connection string. */
async function telemetrySink(rig: Rig): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.end('{"itemsReceived":1,"itemsAccepted":1,"errors":[]}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  rig.undo(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return `InstrumentationKey=${randomUUID()};IngestionEndpoint=http://127.0.0.1:${port}/`;
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

/** What each round costs, in alternating order; the first round fills the disk cache and does not count. */
async function measureInTurn(starts: readonly Start[]): Promise<Map<Start, Cost[]>> {
  const costs = new Map(starts.map((start): [Start, Cost[]] => [start, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const start of round % 2 === 0 ? starts : starts.toReversed()) {
      const cost = await costOfStart(start);
      if (round > 0) costs.get(start)?.push(cost);
    }
  }
  return costs;
}

async function costOfStart({ app, path, env }: Start): Promise<Cost> {
  const startedAt = performance.now();
  const host = await startHost({ app, port: 0, env, output: () => undefined });
  try {
    const response = await fetch(new URL(path, host.url));
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}.`);
    const pid = host.workerPid();
    return { ms: performance.now() - startedAt, cpu: cpuMs(pid === undefined ? [] : [pid]) };
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
