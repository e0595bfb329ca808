import { type RawBuilder, sql } from 'kysely';
import type { Position } from '../../../lib/paging/cursor.ts';
import type { SearchSort } from './search.schemas.ts';

/** What cases are sorted by, as columns; the case's number breaks ties. */
export interface Order {
  column: 'created_at' | 'due_at' | 'updated_at' | 'submitted_at';
  direction: 'asc' | 'desc';
}

export function orderOf(sort: SearchSort): Order {
  const [column, direction] = sort.split(':');
  return { column, direction } as Order;
}

/** Cases of an index come in two parts where some have no such time: those that have it, and those without. */
export type Part = 'all' | 'dated' | 'undated';

/**
 * Which part of a list to read, and behind which case.
 * @param position the sort key and the number of the last case of the page before. The key is PostgreSQL's own text of it, since a
 *   `Date` has no microseconds: two cases of one millisecond would be repeated or skipped.
 */
export function afterPosition(
  { column, direction }: Order,
  part: Part,
  position: Position | undefined,
): RawBuilder<unknown> {
  const key = sql.ref(`r.${column}`);
  const isPart = { all: sql`true`, dated: sql`${key} IS NOT NULL`, undated: sql`${key} IS NULL` }[part];
  if (position === undefined) return isPart;
  const [at, id] = position;
  const compare = sql.raw(direction === 'asc' ? '>' : '<');
  if (part === 'undated') return at === null ? sql`${isPart} AND r.id ${compare} ${id}::bigint` : isPart;
  // Written as a row, PostgreSQL begins at that place of the index.
  if (at !== null) return sql`(${key}, r.id) ${compare} (${at}::timestamptz, ${id}::bigint)`;
  return sql`false`;
}

/**
 * As ORDER BY has it.
 * @param alias of the cases.
 * @param first a column that is null in all of them, and stands before the order's in their index.
 */
export function inOrder({ column, direction }: Order, alias: string, first?: string): RawBuilder<unknown> {
  const columns = [...(first === undefined ? [] : [first]), column, 'id'];
  const keys = columns.map((name) => sql`${sql.ref(`${alias}.${name}`)} ${sql.raw(direction)}`);
  return sql.join(keys, sql`, `);
}
