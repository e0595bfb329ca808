import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { staffActions } from '../../cases/record/staff-actions.ts';
import { casesInHand } from '../../cases/queue/cases-in-hand.ts';
import { readQueueRules } from '../../cases/record/queue-rules.ts';
import { CaseStatus } from '../../cases/record/case-status.ts';
import { countBatches, findVisibleCases } from './batch.queries.ts';
import type { CheckedCase } from './batch.schemas.ts';
import { blockingOf, type ClaimFacts } from './blocking.ts';

/** What the caller can do with each of some cases, and how their batches stand; in the order given. */
export async function checkBatch(
  context: Context,
  actor: AccountActor,
  caseUuids: readonly string[],
): Promise<CheckedCase[]> {
  const { allow_claim: allowsClaims } = await readQueueRules(context, actor.tenantId);
  const { receivedAt: now } = context.request;
  return await inTenant(context.db, actor.tenantId, async (tx) => {
    const staff = await loadStaff(tx, actor);
    const records = await findVisibleCases(tx, staff, caseUuids);
    const byUuid = new Map(records.map((record) => [record.uuid, record]));
    const batches = await countBatches(
      tx,
      records.flatMap(({ batch_uuid: batch }) => batch ?? []),
    );
    const hands = staff.physician === null ? [] : await casesInHand(tx, staff.physician.id, now);
    const inHand = hands.flatMap(([first]) => (first === undefined ? [] : (first.batch_uuid ?? first.uuid)));
    await context.audit.succeeded(tx, { detail: { cases: caseUuids.length, found: records.length } });
    const facts: ClaimFacts = { now, allowsClaims, inHand: new Set(inHand) };
    return caseUuids.map((uuid): CheckedCase => {
      const record = byUuid.get(uuid.toLowerCase());
      if (record === undefined) return { ...notFound, case_uuid: uuid };
      return {
        case_uuid: uuid,
        found: true,
        status: CaseStatus.parse(record.status),
        version: record.version,
        batch_uuid: record.batch_uuid,
        batch: batches.get(record.batch_uuid ?? '') ?? null,
        allowed_actions: staffActions(staff, record, now),
        blocking: blockingOf(staff, record, facts),
      };
    });
  });
}

const notFound = {
  found: false,
  status: null,
  version: null,
  batch_uuid: null,
  batch: null,
  allowed_actions: [],
  blocking: [],
};
