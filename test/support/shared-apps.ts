import pg from 'pg';
import { inject } from 'vitest';
import type { TestApp } from './test-app.ts';
import { afterwards, shared } from './cleanup.ts';
import type { FakeAi } from './fake-ai.ts';

type AnyApp = Pick<TestApp, 'databaseUrl' | 'blobs' | 'output' | 'request' | 'host' | 'stop'> & {
  ai: FakeAi | undefined;
};
type Idle = { app: AnyApp; empty: () => Promise<boolean> };

const idle = new Map<string, Idle[]>();

/**
 * An app of this worker process that no file uses at the moment, with an empty database, container and log; a new one
 * when there is none. Given back when the calling file ends.
 */
export async function borrowApp<App extends AnyApp>(key: string, start: () => Promise<App>): Promise<App> {
  const waiting = idle.get(key) ?? [];
  idle.set(key, waiting);
  let borrowed = waiting.pop();
  while (borrowed !== undefined && !(await borrowed.empty())) {
    await borrowed.app.stop();
    borrowed = waiting.pop();
  }
  borrowed ??= await shared(async () => {
    const app = await start();
    return { app, empty: await emptying(app) };
  });
  const { app, empty } = borrowed;
  afterwards(async () => void waiting.push({ app, empty }));
  return app as App;
}

/**
 * @returns what empties an app; it answers false when that app is no longer as it was when it was new, or when a request is
 *   still at work in it.
 */
export async function emptying({
  databaseUrl,
  blobs,
  ai,
  output,
  request,
  host,
}: Omit<AnyApp, 'stop'>): Promise<() => Promise<boolean>> {
  const worker = host.workerPid();
  const { filled, emptied, platform, shape } = await asSuperuser(databaseUrl, async (db) => {
    const { rows: tables } = await db.query<{ name: string }>(
      `SELECT quote_ident(relname) AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    const names = tables.map(({ name }) => name);
    const written = await withRows(db, names);
    // The platform's, which the migrations wrote. An app remembers those of a tenant for five seconds: a file that changes
    // them has a tenant of its own.
    const parameters = await db.query<{ row: string }>('SELECT p::text AS row FROM application_parameters p');
    return {
      filled: written,
      emptied: names.filter((name) => !written.includes(name)),
      platform: parameters.rows.map(({ row }) => row),
      shape: await shapeOf(db, written),
    };
  });

  async function emptyDatabase(db: pg.Client): Promise<boolean> {
    const tables = ['application_parameters', ...(await withRows(db, emptied))];
    // What an interrupted request holds for longer is not worth waiting for. A tenth of the time of TRUNCATE, which makes
    // new files for each table, index and partition; in this role no trigger keeps rows from being deleted.
    await db.query(
      `BEGIN; SET LOCAL lock_timeout = '2s'; SET LOCAL session_replication_role = replica;
       ${tables.map((name) => `DELETE FROM ${name};`).join(' ')}
       DELETE FROM tenants WHERE id <> 1; COMMIT`,
    );
    await db.query(
      `INSERT INTO application_parameters OVERRIDING SYSTEM VALUE
       SELECT (row::application_parameters).* FROM unnest($1::text[]) AS row`,
      [platform],
    );
    return (await shapeOf(db, filled)) === shape;
  }

  return async () => {
    const isHealthy = host.workerPid() === worker && (await request('/healthy').catch(() => undefined))?.ok;
    if (isHealthy !== true) return false;
    // An open circuit stays open for a while.
    if (output.some((line) => line.includes('ai_breaker_opened'))) return false;
    const isEmpty = await asSuperuser(databaseUrl, emptyDatabase).catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && atWork.includes(error.code ?? '')) return false;
      throw error;
    });
    if (!isEmpty) return false;
    await deleteAll(blobs);
    ai?.reset();
    output.length = 0;
    return true;
  };
}

async function deleteAll(blobs: AnyApp['blobs']): Promise<void> {
  const names: string[] = [];
  for await (const { name } of blobs.listBlobsFlat()) names.push(name);
  const lane = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) await blobs.deleteBlob(name);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

/** A lock that is not let go of; a deadlock with a request that goes on. */
const atWork = ['55P03', '40P01'];

/** Row-level security hides the rows of all tenants from everyone else. */
async function asSuperuser<T>(databaseUrl: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const url = new URL(inject('services').superuserUrl);
  url.pathname = new URL(databaseUrl).pathname;
  const db = new pg.Client({ connectionString: url.href });
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

async function withRows(db: pg.Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    tables.map((name) => `(SELECT '${name}' AS name FROM ${name} LIMIT 1)`).join(' UNION ALL '),
  );
  return rows.map(({ name }) => name);
}

/** What tests may change besides rows that go: what the migrations wrote, functions, triggers, policies and columns. */
async function shapeOf(db: pg.Client, filled: readonly string[]): Promise<string> {
  const contents = filled.map(
    (name) => `(SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM ${name} t)`,
  );
  const { rows } = await db.query<{ shape: string }>(
    `SELECT jsonb_build_array(
       ${contents.join()},
       (SELECT md5(string_agg(concat(oid, xmin), ',' ORDER BY oid)) FROM pg_proc WHERE pronamespace = 'public'::regnamespace),
       (SELECT md5(string_agg(concat(oid, xmin), ',' ORDER BY oid)) FROM pg_trigger WHERE NOT tgisinternal),
       (SELECT md5(string_agg(concat(oid, xmin), ',' ORDER BY oid)) FROM pg_policy),
       (SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace),
       (SELECT count(*) FROM pg_attribute JOIN pg_class c ON c.oid = attrelid AND relnamespace = 'public'::regnamespace)
     )::text AS shape`,
  );
  return rows[0]?.shape ?? '';
}
