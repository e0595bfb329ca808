import { type Expression, type ExpressionBuilder, expressionBuilder, sql, type SqlBool } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';
import type { DB } from '../../../lib/db/tables.ts';

/** Rows per transaction at most, so that no lock lasts long. */
export const batchSize = 1000;

export interface Expiry<Table extends keyof DB> {
  /** The column by which the chosen rows are deleted; `ctid` where no single column is unique. */
  key: (keyof DB[Table] & string) | 'ctid';
  /** When a row expires: a column, or an expression that has an index. */
  expiresAt(eb: ExpressionBuilder<DB, Table>): Expression<Date | null>;
  /** The rows that can expire, as a partial index has them; all by default. */
  among?(eb: ExpressionBuilder<DB, Table>): Expression<SqlBool>;
  /** Rows that expired at or before this time are deleted. */
  cutoff: Date;
  /** Expired rows that stay. */
  except?(eb: ExpressionBuilder<DB, Table>): Expression<SqlBool>;
}

/**
 * Deletes one batch of expired rows of `table`, the oldest first, and skips rows that another transaction has locked.
 *
 * @returns the number of deleted rows; fewer than {@link batchSize} when none are left.
 */
export async function deleteExpired<Table extends keyof DB>(
  db: Db,
  table: Table,
  { key, expiresAt, among, cutoff, except }: Expiry<Table>,
): Promise<number> {
  const eb = expressionBuilder<DB, Table>();
  const condition = among === undefined ? sql`` : sql` AND ${among(eb)}`;
  const exception = except === undefined ? sql`` : sql` AND NOT (${except(eb)})`;
  // ANY (ARRAY(…)): the planner runs the subquery once and then finds the rows by key, whatever its estimates.
  const { numAffectedRows } = await sql`
    DELETE FROM ${sql.table(table)} WHERE ${sql.ref(key)} = ANY (ARRAY(
      SELECT ${sql.ref(key)} FROM ${sql.table(table)} WHERE ${expiresAt(eb)} <= ${cutoff}${condition}${exception}
      ORDER BY ${expiresAt(eb)} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))`.execute(db);
  return Number(numAffectedRows);
}
