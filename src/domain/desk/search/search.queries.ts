import { type RawBuilder, sql } from 'kysely';
import { Problem } from '../../../contract/problem.ts';
import type { Position } from '../../../lib/paging/cursor.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { isStatementTimeout } from '../../../lib/db/errors.ts';
import { plannedAnew } from '../../../lib/db/prepared-pool.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import type { LaneSet } from './search-lanes.queries.ts';
import { afterPosition, inOrder, type Order } from './search-order.queries.ts';

/** A case with its sort key as PostgreSQL's own text, for the cursor. */
export type FoundCase = CaseRecord & { position: string | null };

export interface Search {
  sets: readonly LaneSet[];
  /** On `request_records r`: filters, and what the caller may see. */
  conditions: readonly RawBuilder<unknown>[];
  order: Order;
}

const everyCase = sql`request_records r`;
const timeLimitMs = 2000;
const maxCount = 10_000;

/** The first cases behind `position`, at most `limit`. */
export async function findCases(
  tx: Tx,
  { sets, conditions, order }: Search,
  { position, limit }: { position: Position | undefined; limit: number },
): Promise<FoundCase[]> {
  const parts = sets.flatMap(({ lanes, cases, where, orderFirst, parts: all }) =>
    all.map((part) => {
      const all = sql.join([where, ...conditions, afterPosition(order, part, position)], sql` AND `);
      const found = sql`SELECT r.* FROM ${cases ?? everyCase} WHERE ${all} ORDER BY ${inOrder(order, 'r', orderFirst)} LIMIT ${limit}`;
      return lanes === undefined
        ? sql`(${found})`
        : sql`SELECT found.* FROM ${lanes} CROSS JOIN LATERAL (${found}) AS found`;
    }),
  );
  if (parts.length === 0) return [];
  // The text of the cases that are left: made further inside, it would be made of each that is sorted.
  const key = sql`${sql.ref(`merged.${order.column}`)}::text`;
  const { rows } = await withinTime(() =>
    sql<FoundCase>`${sql.raw(plannedAnew)} SELECT merged.*, ${key} AS position FROM (${sql.join(parts, sql` UNION ALL `)}) AS merged
      ORDER BY ${inOrder(order, 'merged')} LIMIT ${limit}`.execute(tx),
  );
  return rows;
}

/** How many cases there are in all, as far as 10,000. */
export async function countCases(
  tx: Tx,
  { sets, conditions }: Search,
): Promise<{ value: number; capped: boolean }> {
  const parts = sets.map(({ lanes, cases = everyCase, where }) => {
    const from = lanes === undefined ? cases : sql`${lanes}, ${cases}`;
    return sql`SELECT FROM ${from} WHERE ${sql.join([where, ...conditions], sql` AND `)}`;
  });
  if (parts.length === 0) return { value: 0, capped: false };
  const { rows } = await withinTime(() =>
    sql<{ count: number }>`${sql.raw(plannedAnew)} SELECT count(*)::integer FROM (
      ${sql.join(parts, sql` UNION ALL `)} LIMIT ${maxCount + 1}) AS counted`.execute(tx),
  );
  const count = rows[0]?.count ?? 0;
  return { value: Math.min(count, maxCount), capped: count > maxCount };
}

/** Each statement of the transaction from here on may take two seconds. */
export async function limitTime(tx: Tx): Promise<void> {
  await sql`SET LOCAL statement_timeout = ${sql.lit(String(timeLimitMs))}`.execute(tx);
}

/** @throws {Problem} `search_too_broad` for a statement that takes longer. */
export async function withinTime<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    throw new Problem('search_too_broad', {
      detail: 'The search takes too long. Add a filter.',
      cause: error,
    });
  }
}
