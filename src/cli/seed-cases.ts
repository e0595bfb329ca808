// What npm start writes into the database for its demo cases; the cases themselves are made through the gateway.
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Tx } from '../lib/db/connect.ts';
import type { DB } from '../lib/db/tables.ts';
import { inTenant } from '../lib/db/tenant.ts';

async function inDemoTenant<T>(
  databaseUrl: string,
  work: (tx: Tx, tenantId: number) => Promise<T>,
): Promise<T> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  try {
    const { id } = await db
      .selectFrom('tenants')
      .select('id')
      .where('slug', '=', 'default')
      .executeTakeFirstOrThrow();
    return await inTenant(db, id, (tx) => work(tx, id));
  } finally {
    await db.destroy();
  }
}

/** Turns cases on for the demo tenant. @returns the `client_case_id`s of the demo cases that are there. */
export async function openDemoCases(databaseUrl: string): Promise<ReadonlySet<string | null>> {
  return await inDemoTenant(databaseUrl, async (tx, tenantId) => {
    await sql`
      INSERT INTO application_parameters (tenant_id, branch, sub_branch, key, value, visibility)
      VALUES (${tenantId}, 'portal', 'features', 'cases', 'true', 'public')
      ON CONFLICT ON CONSTRAINT application_parameters_once DO NOTHING`.execute(tx);
    const rows = await tx
      .selectFrom('request_records')
      .select('client_case_id')
      .where('client_case_id', 'like', 'demo-%')
      .execute();
    return new Set(rows.map((row) => row.client_case_id));
  });
}
