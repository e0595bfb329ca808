import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describeError, type Log } from '../log.ts';
import type { Db } from './connect.ts';

/** Time for the pool to notice which of its connections have died: they die together. */
const noticeMs = 100;

/** Asks the database for one row; false when it refuses, hangs beyond `timeoutMs`, or lets nobody in. */
export async function isDatabaseReachable(db: Db, timeoutMs: number, log: Log): Promise<boolean> {
  const ask = () => sql`SELECT 1`.execute(db);
  let isOver = false;
  /** The first try may have met a connection that died unnoticed while the database is well. */
  async function askAgain(error: unknown): Promise<void> {
    await sleep(noticeMs);
    if (isOver) throw error;
    await ask();
  }

  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the database did not answer in time')), timeoutMs);
  });
  try {
    await Promise.race([ask().catch(askAgain), timeout]);
    return true;
  } catch (error) {
    log.warn('database_unreachable', describeError(error));
    return false;
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}
