import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { hour, requireAttempt } from '../../platform/throttle/throttle.ts';
import { findVisibleCase } from '../../cases/record/visible-cases.ts';
import { readCaseRules } from '../../cases/record/case-rules.ts';
import { requireVersion } from '../../cases/record/own-case.ts';
import { isNamelessTo, showSummaries } from '../cases/show-summaries.ts';
import { askMembership, judgeEligibility, readMembershipQuestion } from '../../cases/admission/judge-case.ts';
import { recordCheck } from '../../cases/admission/record-check.ts';
import { reasonText } from '../../cases/admission/reason-text.ts';
import type { CheckedEligibility, EligibilityTrigger } from './eligibility-check.schemas.ts';
import { lockForAction } from './lock-for-action.ts';
import { requireAction } from './require-action.ts';

const checksPerHour = 6;

/**
 * Judges anew whether the clinic takes a case (T23), and moves it by the outcome (T05–T07).
 *
 * @param version that the client has read.
 * @throws {Problem} `case_not_found`, `rate_limited`, `version_conflict`, `case_state_conflict`
 */
export async function triggerEligibility(
  context: Context,
  actor: AccountActor,
  uuid: string,
  { reason }: EligibilityTrigger,
  version: number,
): Promise<CheckedEligibility> {
  const { db, config, request, audit, throttleKey, outbox } = context;
  const { receivedAt: now, language } = request;
  const rules = await readCaseRules(context, actor.tenantId);
  const { staff, found, question } = await inTenant(db, actor.tenantId, async (tx) => {
    const staff = await loadStaff(tx, actor);
    const found = await findVisibleCase(tx, staff, uuid);
    return { staff, found, question: await readMembershipQuestion(tx, found) };
  });
  const key = throttleKey('eligibility_check', found.uuid);
  await requireAttempt(db, [{ key, limit: checksPerHour, seconds: hour }], now);
  requireVersion(found, version);
  requireAction(staff, found, 'check_eligibility', now);
  const answer = await askMembership(context, rules, question);
  const checked = await inTenant(db, actor.tenantId, async (tx) => {
    const asked = { action: 'check_eligibility' } as const;
    const { record } = await lockForAction(tx, { context, actor }, uuid, asked, version);
    const judged = await judgeEligibility(tx, { config, requestId: request.id, rules, now }, record, answer);
    const moved = await recordCheck(tx, { audit, now, rules }, record, judged, reason);
    const shown = { language, now, hideNames: isNamelessTo(staff) };
    const [summary] = await showSummaries(tx, shown, [moved]);
    return {
      outcome: judged.outcome,
      reasons: judged.reasons.map((code) => ({ code, text: reasonText(code, language) })),
      checked_at: now,
      case: summary as CheckedEligibility['case'],
    };
  });
  outbox.kick();
  return checked;
}
