import type { AccountActor } from '../../../contract/actor.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import {
  type IdempotentOutcome,
  idempotentRequest,
  withIdempotencyKeyForResource,
} from '../../../lib/idempotency/idempotency.ts';
import { analyseNow } from '../admission/analyse-now.ts';
import { act } from './act-on-case.ts';
import type { CaseAction } from './case-input.schemas.ts';
import type { MobileCase } from '../record/mobile-case.schemas.ts';
import { lockOwnCase } from '../record/own-case.ts';
import { readMobileCase } from './read-case.ts';
import { readReplyRules } from './submit-or-reply.ts';

/**
 * What the patient does with a case besides editing it. `submit` on a case with `action_needed` is the reply; `reply` to an
 * answer opens the case again, once. With a version it is refused where the case has changed since.
 *
 * @throws {Problem} `case_not_found`, `case_state_conflict`, `version_conflict`, `consent_outdated`, `age_mismatch`,
 *   `case_incomplete`, `message_required`, those of idempotency
 */
export async function changeCaseStatus(
  context: Context,
  actor: AccountActor,
  uuid: string,
  input: CaseAction,
): Promise<IdempotentOutcome<MobileCase>> {
  const { db, outbox } = context;
  const key = idempotentRequest(context, actor, 'api/v1/mobile/cases/status', [uuid, canonicalJson(input)]);
  return await withIdempotencyKeyForResource(
    db,
    key,
    async (onDone) => {
      const consent = 'consent' in input ? input.consent : undefined;
      const rules = await readReplyRules(context, actor.tenantId, consent);
      const submission = await inTenant(db, actor.tenantId, async (tx) => {
        const record = await lockOwnCase(tx, actor, uuid);
        const acted = await act(tx, { context, actor, record, rules }, input);
        await onDone?.(tx, record.uuid);
        return acted;
      });
      // News for those who are on call waits neither for the analysis nor for the timer.
      outbox.kick();
      if (submission !== undefined) await analyseNow(context, actor, submission);
      return await readMobileCase(context, actor, uuid);
    },
    (found) => readMobileCase(context, actor, found),
  );
}
