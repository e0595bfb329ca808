import type { Tx } from '../../../lib/db/connect.ts';
import { type LeaseWork, leaseEnd } from '../../cases/queue/lease.ts';
import { staffActions } from '../../cases/record/staff-actions.ts';
import { applyTransition } from '../../cases/record/apply-transition.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { stateConflict } from '../../cases/record/state-conflict.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { type AnswerRow, changeVersion, findFinal } from './annotation.queries.ts';

/**
 * Takes a signed answer back before the patient can read it (T18): it is a draft again, its case is in the signer's hand
 * with a new lease, and the answer that it was to replace is the final one again.
 *
 * @param record locked.
 * @param reason as the signer gives it.
 * @throws {Problem} `case_state_conflict` for others than the signer, and once the undo window has ended.
 */
export async function withdrawAnswer(
  tx: Tx,
  { audit, now, rules }: LeaseWork,
  staff: Staff,
  record: CaseRecord,
  reason: string | null = null,
): Promise<CaseRecord> {
  const signed = await findFinal(tx, record);
  if (signed === undefined || !isWithdrawable(staff, record, signed, now))
    throw stateConflict(record, 'staff', staffActions(staff, record, now));
  await changeVersion(tx, 'dermatologist_annotations', signed, now, {
    status: 'draft',
    signed_at: null,
    rendered_text: null,
    amends_uuid: null,
    cancel_reason: reason,
  });
  const earlier = await restoreEarlier(tx, signed, now);
  return await applyTransition(tx, { audit, now }, record, {
    transition: 'undo',
    by: 'physician',
    set: {
      assigned_physician_id: signed.physician_id,
      lease_expires_at: leaseEnd(rules, now),
      answered_at: earlier?.signed_at ?? null,
      publish_at: null,
      final_annotation_uuid: earlier?.uuid ?? null,
      disease_id: earlier?.primary_disease_id ?? null,
    },
    detail: { annotation: signed.uuid },
  });
}

/** Whether the caller has signed the answer and the patient cannot read it yet. */
export function isWithdrawable(
  { physician }: Staff,
  { status, publish_at: publishAt }: Pick<CaseRecord, 'status' | 'publish_at'>,
  signed: Pick<AnswerRow, 'physician_id'>,
  now: Date,
): boolean {
  const isSigner = physician !== null && signed.physician_id === physician.id;
  return isSigner && status === 'answered' && publishAt !== null && publishAt > now;
}

async function restoreEarlier(
  tx: Tx,
  { amends_uuid: uuid }: AnswerRow,
  now: Date,
): Promise<AnswerRow | undefined> {
  const earlier = await findFinal(tx, { final_annotation_uuid: uuid });
  return earlier && (await changeVersion(tx, 'dermatologist_annotations', earlier, now, { status: 'final' }));
}
