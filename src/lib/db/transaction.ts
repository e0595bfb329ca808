import type { Db, Tx } from './connect.ts';
import { isForgottenStatement, isStalePlan } from './errors.ts';

/**
 * Runs `work` in one transaction. It runs a second time when a migration of that moment has made a prepared statement
 * unusable: the first transaction has then been rolled back, so `work` does nothing but to read and write through `tx`.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(work);
  } catch (error) {
    if (!isStalePlan(error) && !isForgottenStatement(error)) throw error;
    return await db.transaction().execute(work);
  }
}
