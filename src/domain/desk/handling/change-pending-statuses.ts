import type { AccountActor } from '../../../contract/actor.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import {
  type IdempotentOutcome,
  idempotentRequest,
  withIdempotencyKey,
} from '../../../lib/idempotency/idempotency.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import type { BulkItem } from '../../cases/record/bulk-result.schemas.ts';
import { applyChange } from './apply-pending-change.ts';
import { lockVisibleCases } from './handling.queries.ts';
import { readHandlingRules } from './handling-rules.ts';
import { checkHold } from './hold-case.ts';
import type { PendingChange, PendingChangeCode } from './pending-changes.schemas.ts';

type Results = { results: BulkItem<PendingChangeCode>[] };

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
