// GET /api/auth/me compared with a bare handler, and with one indexed query of the same PostgreSQL without HTTP.
import { randomUUID } from 'node:crypto';
import { query } from '../../services/postgres.ts';
import { type Result, usual } from './benchmark.ts';
import { compare, significant } from './compare.ts';
import { timesHealthy } from './goals.ts';
import { databaseOf, pidsOf, type Rig } from './rig.ts';

export const name = 'me';

/** Enough rows that PostgreSQL uses the index: below a few hundred it scans the table instead. */
const ROWS = 50_000;

export async function run(rig: Rig): Promise<Result> {
  const [app, bare] = await Promise.all([rig.app(), rig.bare()]);
  const get = { kind: 'http', method: 'GET', status: 200 } as const;
  const headers = { authorization: `Bearer ${app.token}` };
  const { shares, cpuMs, cpuRatios } = await compare(
    rig.generator(),
    {
      name: 'GET /api/auth/me',
      load: { ...get, origin: app.url, path: '/api/auth/me', headers },
      pids: app.pids,
    },
    [
      { name: 'bare handler', load: { ...get, origin: bare.url, path: '/bare' }, pids: pidsOf(bare) },
      { name: 'GET /healthy', load: { ...get, origin: app.url, path: '/healthy' }, pids: app.pids },
      { name: 'one indexed query', load: await indexedQuery(app.databaseUrl), pids: databaseOf(app) },
    ],
    usual,
  );
  const share = (yardstick: string) => significant(shares[yardstick] ?? Number.NaN);
  return {
    summary: `me × ${share('bare handler')} (× ${share('one indexed query')} of one query, ${significant(cpuMs)} ms CPU)`,
    goals: [
      { what: 'me, of a bare handler', ratio: shares['bare handler'] ?? Number.NaN, atLeast: 0.45 },
      {
        what: 'CPU of me, of /healthy (0.45 ms)',
        ratio: cpuRatios['GET /healthy'] ?? Number.NaN,
        atMost: timesHealthy(0.45),
      },
    ],
  };
}

/** One row of 50,000 by its primary key, in the same PostgreSQL. */
export async function indexedQuery(connectionString: string) {
  const table = 'bench_indexed';
  await query(connectionString, `DROP TABLE IF EXISTS ${table}`);
  await query(
    connectionString,
    `CREATE TABLE ${table} (uuid uuid PRIMARY KEY, email text, created_at timestamptz)`,
  );
  const uuid = randomUUID();
  await query(
    connectionString,
    `INSERT INTO ${table} SELECT gen_random_uuid(), 'someone@example.org', now() FROM generate_series(1, ${ROWS})
     UNION ALL SELECT $1::uuid, 'me@example.org', now()`,
    [uuid],
  );
  await query(connectionString, `ANALYZE ${table}`);
  const text = `SELECT uuid, email, created_at FROM ${table} WHERE uuid = $1`;
  return { kind: 'query', connectionString, text, values: [uuid] } as const;
}
