import { sql } from 'kysely';
import { describeError, type Log } from '../log.ts';
import type { Db } from './connect.ts';
import { isConnectionLost } from './errors.ts';

export interface ReachableOptions {
  /** Milliseconds for all tries together. */
  timeoutMs: number;
  /** Connections that the pool holds at most. */
  poolMax: number;
}

/**
 * Asks the database for one row; false when it refuses, hangs, or lets nobody in. Connections die together, and may do so
 * unnoticed while the database is well: each one that is found dead leaves the pool, and after all of them a new one tells.
 */
export async function isDatabaseReachable(
  db: Db,
  { timeoutMs, poolMax }: ReachableOptions,
  log: Log,
): Promise<boolean> {
  let isOver = false;
  async function ask(lostBefore = 0): Promise<void> {
    try {
      await sql`SELECT 1`.execute(db);
    } catch (error) {
      if (isOver || lostBefore >= poolMax || !isConnectionLost(error)) throw error;
      await ask(lostBefore + 1);
    }
  }

  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the database did not answer in time')), timeoutMs);
  });
  try {
    await Promise.race([ask(), timeout]);
    return true;
  } catch (error) {
    log.warn('database_unreachable', describeError(error));
    return false;
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}
