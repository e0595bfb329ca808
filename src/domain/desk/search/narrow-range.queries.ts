import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import { plannedAnew } from '../../../lib/db/prepared-pool.ts';
import { isBetween } from './filter-conditions.queries.ts';
import { withinTime } from './search.queries.ts';
import type { Order } from './search-order.queries.ts';
import type { CaseFilters } from './search.schemas.ts';

/** So many cases are read and sorted in a tenth of a second or two. */
export const maxSorted = 50_000;

/**
 * The cases of the narrowest time that the filters name, as a table expression `r`, where they are sorted by another time and are
 * few: in the order of that other time, all cases before them would be read in vain.
 */
export async function findNarrowRange(
  tx: Tx,
  { created, submitted, due, updated }: CaseFilters,
  { column: sortedBy }: Order,
): Promise<RawBuilder<unknown> | undefined> {
  const ranges = { created_at: created, submitted_at: submitted, due_at: due, updated_at: updated };
  let narrowest: { count: number; cases: RawBuilder<unknown> } | undefined;
  for (const [column, range] of Object.entries(ranges)) {
    const conditions = isBetween(column, range);
    if (conditions.length === 0 || column === sortedBy) continue;
    const within = sql`FROM request_records r WHERE ${sql.join(conditions, sql` AND `)}`;
    const { rows } = await withinTime(() =>
      sql<{ count: number }>`${sql.raw(plannedAnew)} SELECT count(*)::integer FROM (
        SELECT ${within} LIMIT ${maxSorted + 1}) AS counted`.execute(tx),
    );
    const count = rows[0]?.count ?? 0;
    if (count > maxSorted || count > (narrowest?.count ?? count)) continue;
    // Without the fence PostgreSQL could go by the other index after all.
    narrowest = { count, cases: sql`(SELECT r.* ${within} OFFSET 0) AS r` };
  }
  return narrowest?.cases;
}
