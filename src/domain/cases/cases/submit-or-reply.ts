import type { Context } from '../../../lib/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { ParameterSource } from '../../catalogue/parameters/parameter.queries.ts';
import { readParameters } from '../../catalogue/parameters/read-parameters.ts';
import { type Consent, type Submission, submitCase } from '../analysis/submit-case.ts';
import { heldMsOf } from '../queue/due-time.ts';
import { applyTransition, type CaseRecord } from '../state/apply-transition.ts';
import { placeOf } from '../state/case-status.ts';
import { stateConflict } from '../state/state-conflict.ts';
import { currentConsent } from './current-consent.ts';

export interface ReplyRules {
  consent: Consent;
  /** How long a case waits for the physician who asked, before it is anybody's. */
  reserveHours: number;
}

/**
 * Read before the transaction of the request.
 * @param given the consent that comes with the request.
 * @throws {Problem} `consent_outdated`
 */
export async function readReplyRules(
  source: ParameterSource,
  tenantId: number,
  given: { version: string } | undefined,
): Promise<ReplyRules> {
  const consent = await currentConsent(source, tenantId, given);
  const { reserve_hours: reserveHours } = await readParameters(source, tenantId, 'queue/rules');
  return { consent, reserveHours };
}

/**
 * Takes a case on from its patient: submits a draft (T03), or ends a hold for the patient (T16). Where a physician has
 * asked, it goes back to that physician; where the service has, it is analysed and judged again.
 *
 * @param record locked.
 * @returns what is to be analysed after the commit.
 * @throws {Problem} `case_state_conflict`, `consent_outdated`, `case_incomplete`
 */
export async function submitOrReply(
  tx: Tx,
  context: Pick<Context, 'audit' | 'config' | 'request'>,
  record: CaseRecord,
  rules: ReplyRules,
): Promise<Submission | undefined> {
  const place = placeOf(record);
  const isReply = place === 'on_hold/awaiting_patient';
  if (place !== 'draft' && !isReply) throw stateConflict(record, 'account');
  if (!isReply || record.queued_at === null) return await submitCase(tx, context, record, rules.consent);
  await backToPhysician(tx, context, record, rules);
  return undefined;
}

/** The time on hold does not count towards the time within which the case is to be answered. */
async function backToPhysician(
  tx: Tx,
  { audit, request: { receivedAt: now } }: Pick<Context, 'audit' | 'request'>,
  record: CaseRecord,
  { reserveHours }: ReplyRules,
): Promise<void> {
  const heldMs = heldMsOf(record, now);
  const physician = record.assigned_physician_id;
  await applyTransition(tx, { audit, now }, record, {
    transition: 'reply',
    to: 'queued',
    by: 'account',
    set: {
      lane_pool: physician === null ? record.pool : `physician:${physician}`,
      lane_language: record.language,
      lane_until: physician === null ? null : new Date(now.getTime() + reserveHours * 60 * 60 * 1000),
      queued_at: now,
      ...(record.due_at !== null && { due_at: new Date(record.due_at.getTime() + heldMs) }),
      held_at: null,
      remind_at: null,
      status_reason: null,
    },
    detail: { reserved: physician !== null },
  });
}
