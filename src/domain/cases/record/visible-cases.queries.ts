import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { laneLanguagesOf, poolsOf } from './staff-lanes.ts';

/** A condition on `request_records`. */
export type CaseCondition = RawBuilder<boolean>;

/**
 * Whether staff may see a case, as a condition on `request_records`. Admins: every case of the tenant that was submitted.
 * Physicians: those that wait in their lanes, those that they have or have answered, and with `case.audit` those that are
 * signed. Drafts: by whoever made them. Nobody sees the case of an account of their own, nor what is erased.
 *
 * @param alias of `request_records` in the query.
 */
export function isVisibleTo(staff: Staff, alias = 'request_records'): CaseCondition {
  const { actor, physician, capabilities } = staff;
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const made = sql`(${column('created_by_user_id')} = ${actor.id} AND ${column('status')} = 'draft')`;
  const conditions = [made];
  if (actor.role === 'admin') conditions.push(sql`${column('submitted_at')} IS NOT NULL`);
  if (actor.role === 'physician' && physician !== null) {
    conditions.push(
      sql`${column('assigned_physician_id')} = ${physician.id}`,
      sql`(${column('status')} = 'queued' AND ${column('lane_pool')} = ANY (${poolsOf(staff)}::text[])
        AND ${column('lane_language')} = ANY (${laneLanguagesOf(staff)}::text[]))`,
      sql`EXISTS (SELECT FROM dermatologist_annotations own
        WHERE own.tenant_id = ${column('tenant_id')} AND own.case_uuid = ${column('uuid')}
          AND own.physician_id = ${physician.id} AND own.signed_at IS NOT NULL)`,
    );
    if (capabilities.has('case.audit')) {
      conditions.push(
        sql`(${column('answered_at')} IS NOT NULL AND ${column('status')} IN ('answered', 'closed'))`,
      );
    }
  }
  return sql<boolean>`(${isOthers(staff, alias)} AND (${sql.join(conditions, sql` OR `)}))`;
}

/** What no role lifts: a case of the caller's own account is not theirs to work on, and an erased one is gone. */
export function isOthers({ actor }: Staff, alias = 'request_records'): CaseCondition {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql<boolean>`${column('account_user_id')} IS DISTINCT FROM ${actor.id} AND ${column('erased_at')} IS NULL`;
}

/**
 * As {@link isVisibleTo}, and for physicians on call every emergency that waits, in whatever lane: to be claimed, nothing
 * else.
 */
export function isClaimableBy(staff: Staff): CaseCondition {
  if (staff.physician === null || !staff.capabilities.has('on_call')) return isVisibleTo(staff);
  return sql<boolean>`(${isVisibleTo(staff)} OR (status = 'queued' AND triage_rank = 0 AND ${isOthers(staff)}))`;
}

export async function meetsCondition(tx: Tx, uuid: string, condition: CaseCondition): Promise<boolean> {
  const found = await tx
    .selectFrom('request_records')
    .select('uuid')
    .where('uuid', '=', uuid)
    .where(condition)
    .executeTakeFirst();
  return found !== undefined;
}
