import type { Db, Tx } from '../../src/lib/db/connect.ts';
import { inTenant } from '../../src/lib/db/tenant.ts';

class Undone extends Error {}

/** Runs work in a transaction of the default tenant that is rolled back, and returns its result. */
export function undoneOn(db: Db) {
  return async function undone<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    let result: { value: T } | undefined;
    await inTenant(db, 1, async (tx) => {
      result = { value: await work(tx) };
      throw new Undone();
    }).catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
    if (result === undefined) throw new Error('no result');
    return result.value;
  };
}
