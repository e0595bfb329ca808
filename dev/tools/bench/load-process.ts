// The load generator, in its own process, so that sending and timing do not burden the measured event loop.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { Client } from 'undici';
import { cpuMs } from './cpu.ts';
import type { Answer, BcryptLoad, HttpLoad, Load, Order, QueryLoad, RefreshLoad } from './load.ts';
import type { Round } from './statistics.ts';

type Connection = { runOne: () => Promise<void>; close: () => Promise<void> };

/** Milliseconds; longer than any request may take under load. */
const TIMEOUT_MS = 60_000;

async function connect(load: Load): Promise<Connection> {
  switch (load.kind) {
    case 'http':
      return connectHttp(load);
    case 'query':
      return connectDatabase(load);
    case 'bcrypt':
      return connectThread(load);
    case 'refresh':
      return connectSession(load);
  }
}

function connectHttp({ origin, method, path, headers = {}, body, status }: HttpLoad): Connection {
  const client = new Client(origin, { pipelining: 1, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  return {
    async runOne() {
      const reply = await client.request({ method, path, headers, ...(body !== undefined && { body }) });
      const text = await reply.body.text();
      if (reply.statusCode === status) return;
      throw new Error(`${method} ${path} answered ${reply.statusCode}: ${text.slice(0, 500)}`);
    },
    close: () => client.close(),
  };
}

async function connectDatabase({ connectionString, text, values }: QueryLoad): Promise<Connection> {
  const client = new pg.Client({ connectionString, query_timeout: TIMEOUT_MS });
  await client.connect();
  return {
    async runOne() {
      const { rows } = await client.query(text, [...values]);
      if (rows.length === 0) throw new Error(`${text}: no row`);
    },
    close: () => client.end(),
  };
}

/** The threads of the running bcrypt load, and the number of connections that use them. */
let hashing: { threads: Worker[]; users: number } | undefined;
let comparisons = 0;

function connectThread({ password, hash }: BcryptLoad): Connection {
  const shared = (hashing ??= {
    users: 0,
    threads: Array.from(
      { length: availableParallelism() },
      () => new Worker(new URL('./bcrypt-thread.ts', import.meta.url), { workerData: { password, hash } }),
    ),
  });
  const thread = shared.threads[shared.users++ % shared.threads.length] as Worker;
  thread.setMaxListeners(0);
  return {
    runOne: () =>
      new Promise((resolve, reject) => {
        const id = comparisons++;
        const listen = (answer: { id: number; matches: boolean }) => {
          if (answer.id !== id) return;
          thread.off('message', listen);
          if (answer.matches) resolve();
          else reject(new Error('bcryptjs: no match'));
        };
        thread.on('message', listen);
        thread.postMessage(id);
      }),
    async close() {
      if (--shared.users > 0) return;
      hashing = undefined;
      await Promise.all(shared.threads.map((each) => each.terminate()));
    },
  };
}

async function connectSession({ origin, email, password }: RefreshLoad): Promise<Connection> {
  const client = new Client(origin, { pipelining: 1, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  const post = async (path: string, json: object): Promise<string> => {
    const headers = { 'content-type': 'application/json' };
    const reply = await client.request({ method: 'POST', path, headers, body: JSON.stringify(json) });
    const text = await reply.body.text();
    if (reply.statusCode !== 200) throw new Error(`POST ${path} answered ${reply.statusCode}: ${text}`);
    return (JSON.parse(text) as { refresh_token: string }).refresh_token;
  };
  let token = await post('/api/auth/login', { email, password });
  return {
    async runOne() {
      token = await post('/api/auth/refresh', { refresh_token: token });
    },
    close: () => client.close(),
  };
}

/** The first request of each connection opens it and is not counted. */
async function run({ load, concurrency, durationMs, pids = [] }: Order): Promise<Round> {
  const connections = await Promise.all(Array.from({ length: concurrency }, () => connect(load)));
  try {
    await Promise.all(connections.map(({ runOne }) => runOne()));
    const latenciesMs: number[] = [];
    const cpuBefore = cpuMs(pids);
    const startedAt = performance.now();
    await Promise.all(
      connections.map(async ({ runOne }) => {
        for (let sentAt = startedAt; sentAt < startedAt + durationMs;) {
          await runOne();
          const answeredAt = performance.now();
          latenciesMs.push(answeredAt - sentAt);
          sentAt = answeredAt;
        }
      }),
    );
    return { elapsedMs: performance.now() - startedAt, latenciesMs, cpuMs: cpuMs(pids) - cpuBefore };
  } finally {
    await Promise.allSettled(connections.map(({ close }) => close()));
  }
}

process.on('message', (order: Order) => {
  const answer = (given: Answer) => process.send?.(given);
  run(order).then(
    (round) => answer({ round }),
    (error: Error) => answer({ error: error.message }),
  );
});
// The parent process has ended.
process.on('disconnect', () => process.exit());
