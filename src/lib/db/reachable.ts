import { sql } from 'kysely';
import { describeError, type Log } from '../telemetry/log.ts';
import type { Db } from './connect.ts';
import { isConnectionLost } from './errors.ts';

export interface ReachableOptions {
  /** Milliseconds for all tries together. */
  timeoutMs: number;
  /** Connections that the pool holds at most. */
  poolMax: number;
}

/**
 * Whether the database answers a query in time. After a failover all pooled connections may be dead although the database
 * is well: each dead one leaves the pool when it is tried, so it tries until a new one answers.
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
