import { hasCommitted } from './committed.ts';
import type { Db, Tx } from './connect.ts';
import { isForgottenStatement, isOfStatement, isStalePlan } from './errors.ts';

/**
 * Runs `work` in one transaction. It runs a second time when a migration of that moment has made a prepared statement
 * unusable: the first transaction has then been rolled back, so `work` does nothing but to read and write through `tx`.
 *
 * Where the reply to COMMIT never comes, PostgreSQL is asked by an event that the transaction has written: one that was committed
 * is a success, so that no client repeats what has happened.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await runOnce(db, work);
  } catch (error) {
    if (!isStalePlan(error) && !isForgottenStatement(error)) throw error;
    return await runOnce(db, work);
  }
}

async function runOnce<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const done: { tx: Tx; result: T }[] = [];
  try {
    return await db.transaction().execute(async (tx) => {
      const result = await work(tx);
      done.push({ tx, result });
      return result;
    });
  } catch (error) {
    const [ended] = done;
    // After the work only COMMIT can have failed.
    if (ended === undefined || isOfStatement(error) || !(await hasCommitted(db, ended.tx))) throw error;
    return ended.result;
  }
}
