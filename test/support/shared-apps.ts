import type { Pool } from 'pg';
import type { TestApp } from './test-app.ts';
import { afterwards, shared } from './cleanup.ts';
import type { FakeAi } from './fake-ai.ts';

type AnyApp = Pick<TestApp, 'db' | 'blobs' | 'output' | 'request' | 'host' | 'stop'> & {
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
  while (borrowed !== undefined && !(await borrowed.empty().catch(() => false))) {
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

/** @returns what empties an app; it answers false when that app is no longer as it was when it was new. */
async function emptying({ db, blobs, ai, output, request, host }: AnyApp): Promise<() => Promise<boolean>> {
  const { rows: tables } = await db.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  const names = tables.map(({ name }) => name);
  const filled = await withRows(db, names);
  const emptied = names.filter((name) => !filled.includes(name));
  // The platform's, which the migrations wrote. An app remembers those of a tenant for five seconds: a file that changes
  // them has a tenant of its own.
  const { rows: platform } = await db.query<{ rows: string }>(
    `SELECT coalesce(jsonb_agg(p), '[]')::text AS rows FROM application_parameters p`,
  );
  const [shape, worker] = [await shapeOf(db), host.workerPid()];
  return async () => {
    if (host.workerPid() !== worker || !(await request('/healthy')).ok) return false;
    // An open circuit stays open for a while.
    if (output.some((line) => line.includes('ai_breaker_opened'))) return false;
    // Only what has rows, and what refers to it: each truncated table costs files, and what every connection knows of it.
    const truncated = ['application_parameters', ...(await withRows(db, emptied))].join();
    // What an interrupted request holds for longer is not worth waiting for.
    await db.query(
      `BEGIN; SET LOCAL lock_timeout = '2s'; TRUNCATE ${truncated} CASCADE;
       DELETE FROM tenants WHERE id <> 1; COMMIT`,
    );
    await db.query(
      `INSERT INTO application_parameters OVERRIDING SYSTEM VALUE
       SELECT * FROM jsonb_populate_recordset(NULL::application_parameters, $1::jsonb)`,
      [platform[0]?.rows],
    );
    for await (const { name } of blobs.listBlobsFlat()) await blobs.deleteBlob(name);
    ai?.reset();
    output.length = 0;
    const intact = (await withRows(db, filled)).length === filled.length;
    return intact && (await shapeOf(db)) === shape;
  };
}

async function withRows(db: Pool, tables: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    tables.map((name) => `(SELECT '${name}' AS name FROM ${name} LIMIT 1)`).join(' UNION ALL '),
  );
  return rows.map(({ name }) => name);
}

/** What tests may change besides rows that go: the first tenant, functions, triggers, policies and columns. */
async function shapeOf(db: Pool): Promise<string> {
  const { rows } = await db.query<{ shape: string }>(
    `SELECT jsonb_build_array(
       (SELECT to_jsonb(t) FROM tenants t WHERE id = 1),
       (SELECT md5(string_agg(concat(oid, xmin), ',' ORDER BY oid)) FROM pg_proc WHERE pronamespace = 'public'::regnamespace),
       (SELECT md5(string_agg(concat(oid, xmin), ',' ORDER BY oid)) FROM pg_trigger WHERE NOT tgisinternal),
       (SELECT md5(string_agg(concat(oid, xmin), ',' ORDER BY oid)) FROM pg_policy),
       (SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace),
       (SELECT count(*) FROM pg_attribute JOIN pg_class c ON c.oid = attrelid AND relnamespace = 'public'::regnamespace)
     )::text AS shape`,
  );
  return rows[0]?.shape ?? '';
}
