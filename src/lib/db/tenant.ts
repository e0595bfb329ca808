import { sql } from 'kysely';
import type { Attempt } from '../concurrency/independent-steps.ts';
import type { Db, Tx } from './connect.ts';
import { inTransaction } from './transaction.ts';

/**
 * Runs `work` in one transaction that sees and writes the rows of one tenant only; as {@link inTransaction} does, twice in a
 * rare case. The setting is local to the transaction, so a pooled connection never carries it over to the next request,
 * not even after an error. Besides, only the functions `record_ai_calls`, `renew_sessions`, `sweep_ml_diagnosis_results`,
 * `sweep_request_records`, `sweep_user_check_logs` and `take_back_renewals` name a tenant to PostgreSQL, each for its own
 * statement.
 *
 * @param tenantId `tenants.id`, an integer.
 * @throws {TypeError} for anything else, before PostgreSQL is asked.
 */
export async function inTenant<T>(db: Db, tenantId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (!Number.isSafeInteger(tenantId)) throw new TypeError('a tenant is an integer');
  return await inTransaction(db, async (tx) => {
    // SET takes no parameters; without them it travels in one message with BEGIN (prepared-pool.ts).
    await sql`SET LOCAL app.tenant = ${sql.lit(String(tenantId))}`.execute(tx);
    return await work(tx);
  });
}

/**
 * Runs `work` in another tenant within a transaction that has one already, and restores that one. For side effects on
 * an account of any tenant, such as a released address, and for a tenant that the transaction has just made; never for a resource that the caller names.
 */
export async function withinTenant<T>(tx: Tx, tenantId: number, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ tenant: string | null }>`
    SELECT current_setting('app.tenant', true) AS tenant`.execute(tx);
  await sql`SELECT set_config('app.tenant', ${String(tenantId)}, true)`.execute(tx);
  // After an error PostgreSQL refuses every further statement of the transaction, so there is nothing to restore.
  const result = await work();
  await sql`SELECT set_config('app.tenant', ${rows[0]?.tenant ?? ''}, true)`.execute(tx);
  return result;
}

/**
 * Runs `work` for one tenant after another, because row-level security shows the rows of one at a time.
 *
 * @param attempt takes the work of each tenant and decides what a failure does; by default the first one ends the walk.
 * @param order of the walk; by id by default.
 */
export async function forEachTenant(
  db: Db,
  work: (tenantId: number) => Promise<void>,
  {
    attempt = async (_about, step) => await step(),
    order = (ids) => ids,
  }: { attempt?: Attempt; order?: (ids: readonly number[]) => readonly number[] } = {},
): Promise<void> {
  const tenants = await db.selectFrom('tenants').select('id').orderBy('id').execute();
  for (const tenant of order(tenants.map(({ id }) => id))) await attempt({ tenant }, () => work(tenant));
}
