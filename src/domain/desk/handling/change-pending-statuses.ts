import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import {
  type IdempotentOutcome,
  idempotentRequest,
  withIdempotencyKey,
} from '../../../lib/idempotency/idempotency.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { loadStaff, type Staff } from '../../identity/groups/staff.ts';
import type { BulkItem } from '../../cases/record/bulk-result.schemas.ts';
import { requireVersion } from '../../cases/record/own-case.ts';
import { partiesOf } from '../../cases/record/staff-actions.ts';
import { resumeCase } from '../../cases/queue/return-to-queue.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { type HandlingRules, readHandlingRules } from './handling-rules.ts';
import { lockVisibleCases } from './handling.queries.ts';
import { checkHold, holdCase, requireAccount, requireMessage } from './hold-case.ts';
import { type PendingChange, type PendingChangeCode, pendingChangeCodes } from './pending-changes.schemas.ts';
import { requireAction } from './require-action.ts';

type Results = { results: BulkItem<PendingChangeCode>[] };

interface ChangeWork {
  context: Context;
  staff: Staff;
  /** By their UUID, as they stand: changed with each change that succeeds. */
  records: Map<string, CaseRecord>;
  rules: HandlingRules;
}

/**
 * Changes what cases on hold wait for (T15), or ends their holds (T16). Each change succeeds or fails alone, in the order
 * given; all that succeed are stored together.
 *
 * @throws {Problem} `validation_error`, those of idempotency
 */
export async function changePendingStatuses(
  context: Context,
  actor: AccountActor,
  changes: readonly PendingChange[],
): Promise<IdempotentOutcome<Results>> {
  const { db, outbox, request } = context;
  changes.forEach((change, index) => checkHold(change, request.receivedAt, `/changes/${index}`));
  const route = 'api/v1/backoffice/cases/changes-pending-status';
  const key = idempotentRequest(context, actor, route, [canonicalJson(changes)]);
  return await withIdempotencyKey<Results>(db, key, async (done) => {
    const rules = await readHandlingRules(context, actor.tenantId);
    const reply = await inTenant(db, actor.tenantId, async (tx) => {
      const staff = await loadStaff(tx, actor);
      const records = await lockVisibleCases(
        tx,
        staff,
        changes.map(({ case_uuid: uuid }) => uuid),
      );
      const reply: Results = { results: [] };
      const work = { context, staff, records, rules };
      for (const change of changes) reply.results.push(await applyChange(tx, work, change));
      await done(tx, reply);
      return reply;
    });
    outbox.kick();
    return reply;
  });
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
