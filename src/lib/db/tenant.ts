import { sql } from 'kysely';
import type { Db, Tx } from './connect.ts';

/**
 * Runs `work` in one transaction that sees and writes the rows of one tenant only. But for the function
 * `read_account` this is the single place that names the tenant to PostgreSQL: the setting is local to the transaction,
 * so a pooled connection never carries it over to the next request, not even after an error.
 *
 * @param tenantId `tenants.id`, an integer.
 */
export async function inTenant<T>(db: Db, tenantId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  return await db.transaction().execute(async (tx) => {
    await sql`SELECT set_config('app.tenant', ${String(tenantId)}, true)`.execute(tx);
    return await work(tx);
  });
}
