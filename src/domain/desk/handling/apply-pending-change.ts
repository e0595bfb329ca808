import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import type { BulkItem } from '../../cases/record/bulk-result.schemas.ts';
import { requireVersion } from '../../cases/record/own-case.ts';
import { partiesOf } from '../../cases/record/staff-actions.ts';
import { resumeCase } from '../../cases/queue/return-to-queue.ts';
import type { CaseRecord } from '../../cases/record/apply-transition.ts';
import type { HandlingRules } from './handling-rules.ts';
import { holdCase, requireAccount, requireMessage } from './hold-case.ts';
import { type PendingChange, type PendingChangeCode, pendingChangeCodes } from './pending-changes.schemas.ts';
import { requireAction } from './require-action.ts';

/** Cases by their UUID, as they stand. */
type Records = Map<string, CaseRecord>;

export interface ChangeWork {
  context: Context;
  staff: Staff;
  /** Changed with each change that succeeds. */
  records: Records;
  rules: HandlingRules;
}

/** @returns what became of it: a refusal, thrown before anything is written, fails this change alone. */
export async function applyChange(
  tx: Tx,
  work: ChangeWork,
  change: PendingChange,
): Promise<BulkItem<PendingChangeCode>> {
  const { case_uuid } = change;
  try {
    const changed = await apply(tx, work, change);
    work.records.set(changed.uuid, changed);
    return { case_uuid, ok: true, version: changed.version };
  } catch (error) {
    const code =
      error instanceof Problem ? pendingChangeCodes.find((each) => each === error.code) : undefined;
    if (code === undefined) throw error;
    return { case_uuid, ok: false, code, detail: (error as Problem).message };
  }
}

async function apply(
  tx: Tx,
  { context, staff, records, rules }: ChangeWork,
  { case_uuid: uuid, version, pending_status: pending, ...given }: PendingChange,
): Promise<CaseRecord> {
  const now = context.request.receivedAt;
  const record = records.get(uuid.toLowerCase());
  if (record === undefined) throw new Problem('case_not_found');
  requireVersion(record, version);
  requireAction(staff, record, pending === null ? 'resume' : 'change_pending_status', now);
  const at = { audit: context.audit, now, ...rules };
  if (pending === null) return await resumeCase(tx, at, record, { by: 'staff' });
  const hold = { pending_status: pending, ...given };
  requireMessage(hold);
  requireAccount(staff, record, hold, now);
  return await holdCase(tx, at, record, hold, {
    transition: 'change_pending_status',
    by: partiesOf(staff, record, now).includes('physician') ? 'physician' : 'staff',
    authorId: staff.actor.id,
  });
}
