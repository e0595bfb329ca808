import { sql } from 'kysely';
import { describeError, type Log } from '../log.ts';
import type { Db } from './connect.ts';

/** Asks the database for one row; false when it refuses, hangs beyond `timeoutMs`, or lets nobody in. */
export async function isDatabaseReachable(db: Db, timeoutMs: number, log: Log): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the database did not answer in time')), timeoutMs);
  });
  const ask = () => sql`SELECT 1`.execute(db);
  try {
    // Twice, because a connection of the pool may have died unnoticed while the database is well.
    await Promise.race([ask().catch(ask), timeout]);
    return true;
  } catch (error) {
    log.warn('database_unreachable', describeError(error));
    return false;
  } finally {
    clearTimeout(timer);
  }
}
