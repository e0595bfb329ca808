import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import {
  type IdempotentOutcome,
  idempotentRequest,
  withIdempotencyKeyForResource,
} from '../../../lib/idempotency/idempotency.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { loadStaff, requirePhysician } from '../../identity/groups/staff.ts';
import { findHandledCase } from '../../cases/record/visible-cases.ts';
import { recordRead } from '../../cases/record/record-read.ts';
import { actionNeeds, isSignersToReopen } from '../../cases/record/staff-actions.ts';
import { withdrawAnswer } from '../../answers/annotations/withdraw-answer.ts';
import { renewLease } from '../../cases/queue/lease.ts';
import { reopenCase } from '../../cases/queue/reopen-case.ts';
import { releaseCase, resumeCase } from '../../cases/queue/return-to-queue.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { cancelCase } from '../../cases/record/cancel-case.ts';
import type { CaseDetail } from '../cases/case-detail.schemas.ts';
import { showDetail } from '../cases/show-detail.ts';
import { assignCase } from './assign-case.ts';
import { claimCase } from './claim-case.ts';
import { type HandlingRules, readHandlingRules } from './handling-rules.ts';
import { checkHold, holdCase, requireAccount, requireMessage } from './hold-case.ts';
import { type Locked, lockForAction } from './lock-for-action.ts';
import type { StaffAction } from './staff-action.schemas.ts';

/** Actions of which people, or the workers, are to learn. */
const tellsPeople: ReadonlySet<string> = new Set(['hold', 'assign', 'cancel', 'reopen']);
/** Actions after which the caller may not see the case any more. */
const givesAway: ReadonlySet<string> = new Set(['release', 'assign', 'cancel', 'reopen']);

/**
 * What staff do with a case as a whole: take it, put it back or on hold, hand it on, end it or open it again.
 *
 * @param version that the client has read; undefined for a claim by a physician on call, who cannot read an emergency before.
 * @throws {Problem} `case_not_found`, `version_required`, `version_conflict`, `case_state_conflict`, `lease_lost`, `lease_limit`,
 *   `claiming_disabled`, `physician_away`, `physician_not_found`, `physician_profile_required`, `capability_required`,
 *   `message_required`, `validation_error`, those of idempotency
 */
export async function handleCase(
  context: Context,
  actor: AccountActor,
  uuid: string,
  input: StaffAction,
  version: number | undefined,
): Promise<IdempotentOutcome<CaseDetail>> {
  const { db, outbox, request } = context;
  const { receivedAt: now, language } = request;
  const content = [uuid, canonicalJson(input), String(version)];
  const key = idempotentRequest(context, actor, 'api/v1/backoffice/cases/status', content);
  return await withIdempotencyKeyForResource(
    db,
    key,
    async (onDone) => {
      if (input.action === 'hold') {
        checkHold(input, now);
        requireMessage(input);
      }
      const rules = await readHandlingRules(context, actor.tenantId);
      if (input.action === 'claim' && !rules.rules.allow_claim) throw new Problem('claiming_disabled');
      const shown = await inTenant(db, actor.tenantId, async (tx) => {
        const locked = await lockForAction(tx, { context, actor }, uuid, input, version);
        const changed = await performAction(tx, { context, rules }, locked, input);
        await onDone?.(tx, changed.uuid);
        return await showDetail(tx, locked.staff, changed, { language, now });
      });
      if (tellsPeople.has(input.action)) outbox.kick();
      return shown;
    },
    (found) =>
      inTenant(db, actor.tenantId, async (tx) => {
        const staff = await loadStaff(tx, actor);
        const { action } = input;
        const gaveAway = givesAway.has(action);
        const record = await findHandledCase(tx, staff, found, { gaveAway, needs: actionNeeds[action] });
        await recordRead(tx, context, actor, record);
        return await showDetail(tx, staff, record, { language, now });
      }),
  );
}

/** @returns the case as the action leaves it. */
export async function performAction(
  tx: Tx,
  { context, rules }: { context: Context; rules: HandlingRules },
  { staff, record, target }: Locked,
  input: StaffAction,
): Promise<CaseRecord> {
  const { audit, request } = context;
  const work = { audit, now: request.receivedAt, ...rules };
  const { id: authorId } = staff.actor;
  switch (input.action) {
    case 'claim':
      return await claimCase(tx, work, record, requirePhysician(staff));
    case 'renew_lease':
      return await renewLease(tx, work, record);
    case 'release': {
      const { id: physicianId } = requirePhysician(staff);
      return await releaseCase(tx, work, record, { physicianId, reason: input.reason });
    }
    case 'hold':
      requireAccount(staff, record, input, work.now);
      return await holdCase(tx, work, record, input, { transition: 'hold', by: 'physician', authorId });
    case 'resume':
      return await resumeCase(tx, work, record, { by: 'staff' });
    case 'assign':
      if (target === undefined) throw new Error('no physician to assign to');
      return await assignCase(tx, work, record, target);
    case 'cancel':
      return await cancelCase(tx, work, record, { by: 'staff', reason: input.reason });
    case 'reopen': {
      const by = isSignersToReopen(staff, record, work.now) ? 'physician' : 'staff';
      return await reopenCase(tx, work, record, { by, reason: input.reason, requestId: request.id });
    }
    case 'undo':
      return await withdrawAnswer(tx, { audit, now: work.now, rules: rules.rules }, staff, record);
  }
}
