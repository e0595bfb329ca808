import { sql } from 'kysely';
import { Problem } from '../../contract/problem.ts';
import type { Tx } from './connect.ts';
import { isStatementTimeout } from './errors.ts';

/** Each statement of the transaction from here on may take so many milliseconds. */
export async function limitTime(tx: Tx, ms: number): Promise<void> {
  await sql`SET LOCAL statement_timeout = ${sql.lit(String(ms))}`.execute(tx);
}

/** @throws {Problem} `search_too_broad` for a statement that takes longer. */
export async function withinTime<T>(work: () => Promise<T>, detail: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    throw new Problem('search_too_broad', { detail, cause: error });
  }
}
