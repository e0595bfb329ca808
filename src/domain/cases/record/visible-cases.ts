import { type RawBuilder, sql } from 'kysely';
import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Capability } from '../../identity/groups/capability.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { generalPool } from './lane.ts';
import { type CaseRecord, findCase, lockCase } from './apply-transition.ts';

/**
 * The pools whose cases a physician is offered, the first before the others: reserved, the own private pool, those of the
 * groups, the general one. None for an admin who is no physician.
 */
export function poolsOf({ physician }: Staff): string[] {
  if (physician === null) return [];
  const own = physician.privatePool === null ? [] : [physician.privatePool];
  const general = physician.adminSettings.general_pool === false ? [] : [generalPool];
  return [...new Set([`physician:${physician.id}`, ...own, ...physician.groupPools, ...general])];
}

/** The languages whose cases a physician is offered. */
export const laneLanguagesOf = ({ physician }: Staff): string[] => [
  ...(physician?.reviewLanguages ?? []),
  'any',
];

/**
 * Whether staff may see a case, as a condition on `request_records`. Admins: every case of the tenant that was submitted.
 * Physicians: those that wait in their lanes, those that they have or have answered, and with `case.audit` those that are
 * signed. Drafts: by whoever made them. Nobody sees the case of an account of their own, nor what is erased.
 *
 * @param alias of `request_records` in the query.
 */
export function isVisibleTo(staff: Staff, alias = 'request_records'): RawBuilder<boolean> {
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
function isOthers({ actor }: Staff, alias = 'request_records'): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql<boolean>`${column('account_user_id')} IS DISTINCT FROM ${actor.id} AND ${column('erased_at')} IS NULL`;
}

/** Whether a case waits where this physician is offered cases. */
export const isInLanesOf = (
  staff: Staff,
  { lane_pool: pool, lane_language: language }: Pick<CaseRecord, 'lane_pool' | 'lane_language'>,
): boolean =>
  pool !== null &&
  language !== null &&
  poolsOf(staff).includes(pool) &&
  laneLanguagesOf(staff).includes(language);

/**
 * As {@link isVisibleTo}, and for physicians on call every emergency that waits, in whatever lane: to be claimed, nothing
 * else.
 */
function isClaimableBy(staff: Staff): RawBuilder<boolean> {
  if (staff.physician === null || !staff.capabilities.has('on_call')) return isVisibleTo(staff);
  return sql<boolean>`(${isVisibleTo(staff)} OR (status = 'queued' AND triage_rank = 0 AND ${isOthers(staff)}))`;
}

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A case that staff may see.
 * @throws {Problem} `case_not_found`, the same for one that is malformed, missing, hidden or another tenant's.
 */
export async function findVisibleCase(tx: Tx, staff: Staff, uuid: string): Promise<CaseRecord> {
  return await requireVisible(tx, uuid, isVisibleTo(staff), findCase);
}

/**
 * The case of a retried action, for its reply: also where the action itself moved it out of the caller's sight, as long as the
 * caller could still act so.
 * @param gaveAway whether the action is one that can do that.
 * @param needs the capability of the action.
 * @throws {Problem} `case_not_found`
 */
export async function findHandledCase(
  tx: Tx,
  staff: Staff,
  uuid: string,
  { gaveAway, needs }: { gaveAway: boolean; needs: Capability | undefined },
): Promise<CaseRecord> {
  const mayAct = needs === undefined ? staff.physician !== null : staff.capabilities.has(needs);
  if (!gaveAway || !mayAct) return await findVisibleCase(tx, staff, uuid);
  return await requireVisible(tx, uuid, isOthers(staff), findCase);
}

/** As {@link findVisibleCase}, locked for a change. */
export async function lockVisibleCase(tx: Tx, staff: Staff, uuid: string): Promise<CaseRecord> {
  return await requireVisible(tx, uuid, isVisibleTo(staff), lockCase);
}

/** As {@link lockVisibleCase}, with the emergencies that a physician on call may claim. */
export async function lockClaimableCase(tx: Tx, staff: Staff, uuid: string): Promise<CaseRecord> {
  return await requireVisible(tx, uuid, isClaimableBy(staff), lockCase);
}

/** Whether staff may see a case of which they know the UUID; an emergency they may be able to claim all the same. */
export async function isVisibleNow(tx: Tx, staff: Staff, uuid: string): Promise<boolean> {
  return await meets(tx, uuid, isVisibleTo(staff));
}

async function meets(tx: Tx, uuid: string, condition: RawBuilder<boolean>): Promise<boolean> {
  const found = await tx
    .selectFrom('request_records')
    .select('uuid')
    .where('uuid', '=', uuid)
    .where(condition)
    .executeTakeFirst();
  return found !== undefined;
}

async function requireVisible(
  tx: Tx,
  uuid: string,
  isVisible: RawBuilder<boolean>,
  read: (tx: Tx, uuid: string) => Promise<CaseRecord | undefined>,
): Promise<CaseRecord> {
  const isUuid = uuidForm.test(uuid);
  // Locked first: what is judged afterwards cannot change any more.
  const record = isUuid ? await read(tx, uuid) : undefined;
  if (record !== undefined && (await meets(tx, uuid, isVisible))) return record;
  throw new Problem('case_not_found', isUuid ? { conceals: { kind: 'case', uuid } } : {});
}

/** Whether the caller is the physician who has the case in hand at this moment. */
export function isHolder(
  { physician }: Staff,
  record: Pick<CaseRecord, 'status' | 'assigned_physician_id' | 'lease_expires_at'>,
  now: Date,
): boolean {
  return (
    physician !== null &&
    record.status === 'in_review' &&
    record.assigned_physician_id === physician.id &&
    record.lease_expires_at !== null &&
    record.lease_expires_at > now
  );
}
