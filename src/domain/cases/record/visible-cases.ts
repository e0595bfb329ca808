import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Capability } from '../../identity/groups/capability.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { type CaseRecord, findCase, lockCase } from './case.queries.ts';
import {
  type CaseCondition,
  isClaimableBy,
  isOthers,
  isVisibleTo,
  meetsCondition,
} from './visible-cases.queries.ts';

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
  return await meetsCondition(tx, uuid, isVisibleTo(staff));
}

async function requireVisible(
  tx: Tx,
  uuid: string,
  isVisible: CaseCondition,
  read: (tx: Tx, uuid: string) => Promise<CaseRecord | undefined>,
): Promise<CaseRecord> {
  const isUuid = uuidForm.test(uuid);
  // Locked first: what is judged afterwards cannot change any more.
  const record = isUuid ? await read(tx, uuid) : undefined;
  if (record !== undefined && (await meetsCondition(tx, uuid, isVisible))) return record;
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
