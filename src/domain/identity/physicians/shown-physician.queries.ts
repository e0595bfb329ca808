import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { PhysicianRow } from './physician.queries.ts';

/** The cases of physicians, by `physicians.id`; each part reads an index of its own. */
export async function countLoads(tx: Tx, tenantId: number, ids: readonly number[], since: Date) {
  const { rows } = await sql<{ id: number; open: number; reserved: number; answered_7d: number }>`
    SELECT p.id,
      (SELECT count(*)::integer FROM request_records r
        WHERE r.tenant_id = ${tenantId} AND r.assigned_physician_id = p.id AND r.status = 'in_review') AS open,
      (SELECT count(*)::integer FROM request_records r
        WHERE r.tenant_id = ${tenantId} AND r.lane_pool = 'physician:' || p.id AND r.status = 'queued') AS reserved,
      (SELECT count(*)::integer FROM dermatologist_annotations a
        WHERE a.tenant_id = ${tenantId} AND a.physician_id = p.id AND a.signed_at >= ${since}
          AND a.status IN ('final', 'amended')) AS answered_7d
    FROM unnest(${ids}::integer[]) AS p (id)`.execute(tx);
  return new Map(rows.map(({ id, ...load }) => [id, load]));
}

/** The groups of physicians by `users.id`, in the order of their names. */
export async function findGroupsOf(tx: Tx, physicians: readonly PhysicianRow[]) {
  if (physicians.length === 0) return new Map<number, never[]>();
  const found = await tx
    .selectFrom('user_group_members as m')
    .innerJoin('user_groups as g', (join) =>
      join.onRef('g.tenant_id', '=', 'm.tenant_id').onRef('g.id', '=', 'm.group_id'),
    )
    .select(['m.user_id', 'g.uuid', 'g.name', 'g.settings'])
    .where(
      'm.user_id',
      'in',
      physicians.map(({ user_id: id }) => id),
    )
    .orderBy('g.name')
    .execute();
  return Map.groupBy(found, ({ user_id: id }) => id);
}
