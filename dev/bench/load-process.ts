// The load generator: a process of its own, so that sending and timing take nothing from the event loop they time.
import pg from 'pg';
import { Client } from 'undici';
import type { Answer, HttpLoad, Load, Order, QueryLoad } from './load.ts';
import type { Round } from './statistics.ts';

type Connection = { once: () => Promise<void>; close: () => Promise<void> };

/** Longer than any request may take under load. */
const TIMEOUT_MS = 60_000;

async function connect(load: Load): Promise<Connection> {
  return load.kind === 'http' ? connectHttp(load) : connectDatabase(load);
}

function connectHttp({ origin, method, path, headers = {}, body, status }: HttpLoad): Connection {
  const client = new Client(origin, { pipelining: 1, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  return {
    async once() {
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
    async once() {
      const { rows } = await client.query(text, [...values]);
      if (rows.length === 0) throw new Error(`${text}: no row`);
    },
    close: () => client.end(),
  };
}

/** The first request of each connection opens it and is not counted. */
async function run({ load, concurrency, durationMs }: Order): Promise<Round> {
  const connections = await Promise.all(Array.from({ length: concurrency }, () => connect(load)));
  try {
    await Promise.all(connections.map(({ once }) => once()));
    const latenciesMs: number[] = [];
    const startedAt = performance.now();
    await Promise.all(
      connections.map(async ({ once }) => {
        for (let sentAt = startedAt; sentAt < startedAt + durationMs;) {
          await once();
          const answeredAt = performance.now();
          latenciesMs.push(answeredAt - sentAt);
          sentAt = answeredAt;
        }
      }),
    );
    return { elapsedMs: performance.now() - startedAt, latenciesMs };
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
// Whoever gives the orders is gone.
process.on('disconnect', () => process.exit());
