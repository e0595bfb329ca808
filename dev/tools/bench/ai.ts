// The cost that the gateway adds to a call of the AI service: the same call through the gateway, directly to the service, and
// through a plain proxy that neither authenticates nor validates nor records. First with a service that answers immediately,
// then with the reference service. Two yardsticks split the gateway's part: the bare handler shows the functions host, whose
// hop between two processes a real host has as well; one committed row without HTTP shows the record. /healthy scales the
// processor time to the machine.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Host, startHost } from '../../packages/functions-host/host.ts';
import { query } from '../../services/postgres.ts';
import { type Result, usual } from './benchmark.ts';
import { type Comparison, compare, significant, type Target } from './compare.ts';
import { timesHealthy } from './goals.ts';
import type { Load } from './load.ts';
import { type App, databaseOf, pidsOf, type Rig, root } from './rig.ts';

export const name = 'ai';

const oneAtATime: Comparison = { concurrency: 1, rounds: 4, roundMs: 1000 };
/** First, because the JIT compiler needs some thousand calls: after a few hundred a call costs twice the processor time. */
const manyAtATime: Comparison = { ...oneAtATime, concurrency: 32, warmUpMs: 15_000 };

export async function run(rig: Rig): Promise<Result> {
  const [app, bare] = await Promise.all([rig.app(), rig.bare()]);
  const generator = rig.generator();
  const body = await readFile(join(root, 'dev/run/demo/anamnesis.json'));
  const headers = { 'content-type': 'application/json' };
  const load = (origin: string, path: string, token?: string): Load => ({
    kind: 'http',
    method: 'POST',
    status: 200,
    body,
    origin,
    path,
    headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  });
  async function targets(route: string, gateway: Host, ai: string): Promise<[Target, Target[]]> {
    const proxy = await startSide(rig, 'plain-proxy.ts', ai);
    return [
      {
        name: `POST /api/ai/${route}`,
        load: load(gateway.url, `/api/ai/${route}`, app.token),
        pids: pidsOf(gateway, app.postmaster),
      },
      [
        { name: 'straight to the AI service', load: load(ai, `/${route}`) },
        { name: 'plain Fastify proxy', load: load(proxy.url, `/${route}`), pids: [proxy.pid] },
      ],
    ];
  }

  const { url: fast } = await startSide(rig, 'fast-ai.ts');
  const [gateway, yardsticks] = await targets('red_flags', await gatewayBefore(rig, app, fast), fast);
  yardsticks.push(
    { name: 'bare handler', load: load(bare.url, '/bare'), pids: pidsOf(bare) },
    { name: 'one committed row', load: await committedRow(app), pids: databaseOf(app) },
  );
  const shares: string[] = [];
  const cpu = new Map<Comparison, number>();
  for (const comparison of [manyAtATime, oneAtATime]) {
    const { shares: share, cpuMs } = await compare(generator, gateway, yardsticks, comparison);
    cpu.set(comparison, cpuMs);
    const of = (yardstick: string) => significant(share[yardstick] ?? Number.NaN);
    shares.push(
      `${comparison.concurrency} at a time × ${of('plain Fastify proxy')} of a plain proxy, × ${of('one committed row')} of one committed row, ${significant(cpuMs)} ms CPU`,
    );
  }
  const healthy = { kind: 'http', method: 'GET', status: 200, origin: app.url, path: '/healthy' } as const;
  const yardstick = await compare(
    generator,
    { name: 'GET /healthy', load: healthy, pids: app.pids },
    [],
    usual,
  );
  const ratio = (cpu.get(manyAtATime) ?? Number.NaN) / yardstick.cpuMs;
  console.log('\nBefore the reference AI service:');
  for (const route of ['red_flags', 'next_question']) {
    const reference = app.settings['AI_SERVICE_URL'] ?? '';
    await compare(generator, ...(await targets(route, app.host, reference)), { ...oneAtATime, rounds: 3 });
  }
  const what = `CPU of an AI call, ${manyAtATime.concurrency} at a time, of /healthy (0.8 ms)`;
  return {
    summary: `ai ${shares.join('; ')}`,
    goals: [{ what, ratio, atMost: timesHealthy(0.8) }],
  };
}

/** Every call is recorded before the reply, so none can be faster than PostgreSQL commits a row. */
async function committedRow({ databaseUrl }: App): Promise<Load> {
  await query(databaseUrl, 'CREATE TABLE IF NOT EXISTS bench_records (at timestamptz, detail jsonb)');
  return {
    kind: 'query',
    connectionString: databaseUrl,
    text: 'INSERT INTO bench_records VALUES (now(), $1) RETURNING at',
    values: [JSON.stringify({ outcome: 'ok' })],
  };
}

/** A second instance of our app on the same database, with another AI service. */
async function gatewayBefore(rig: Rig, app: App, ai: string): Promise<Host> {
  const host = await startHost({
    app: root,
    main: 'src/main.ts',
    port: 0,
    env: { ...app.settings, AI_SERVICE_URL: ai },
    output: () => undefined,
  });
  rig.undo(() => host.stop());
  return host;
}

/** Starts a server of this folder in its own process; it sends its port when it listens. */
async function startSide(rig: Rig, file: string, ...args: string[]): Promise<{ url: string; pid: number }> {
  const child = fork(join(import.meta.dirname, file), args, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  rig.undo(() => void child.kill());
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${file} did not start.`)));
  const [port] = (await Promise.race([once(child, 'message'), ended])) as [number];
  ended.catch(() => undefined);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 };
}
