import { type Expression, type ExpressionBuilder, expressionBuilder, sql, type SqlBool } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';
import type { DB } from '../../../lib/db/tables.ts';

/** Rows of one transaction at most, so that no lock is held long. */
export const batchSize = 1000;

export interface Over<Table extends keyof DB> {
  /** The column by which the chosen rows are deleted; `ctid` where no single one is unique. */
  key: (keyof DB[Table] & string) | 'ctid';
  /** When a row is over: a column, or an expression that has an index. */
  end(eb: ExpressionBuilder<DB, Table>): Expression<Date | null>;
  /** Rows that were over by then go. */
  by: Date;
  /** Which of them stay all the same. */
  unless?(eb: ExpressionBuilder<DB, Table>): Expression<SqlBool>;
}

/**
 * Deletes a batch of the rows of `table` that are over, the oldest first; those that somebody works on are passed over.
 *
 * @returns how many went; fewer than {@link batchSize} when no more are left.
 */
export async function deleteOver<Table extends keyof DB>(
  db: Db,
  table: Table,
  { key, end, by, unless }: Over<Table>,
): Promise<number> {
  const eb = expressionBuilder<DB, Table>();
  const stays = unless === undefined ? sql`` : sql` AND NOT (${unless(eb)})`;
  // ANY (ARRAY(…)): the rows are chosen once, and then found by their key whatever the planner expects.
  const { numAffectedRows } = await sql`
    DELETE FROM ${sql.table(table)} WHERE ${sql.ref(key)} = ANY (ARRAY(
      SELECT ${sql.ref(key)} FROM ${sql.table(table)} WHERE ${end(eb)} <= ${by}${stays}
      ORDER BY ${end(eb)} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))`.execute(db);
  return Number(numAffectedRows);
}
