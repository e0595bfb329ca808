import type { TenantActor } from '../../../contract/actor.ts';
import { deadlineIn } from '../../../lib/ai/deadline.ts';
import type { Context } from '../../../lib/app/context.ts';
import { describeError, errorCode } from '../../../lib/telemetry/log.ts';
import { postponeMessage, removeMessage } from '../../../lib/outbox/claims.ts';
import { analyseCase } from './analyse-case.ts';
import { retryAfterSeconds } from './resume-analysis.ts';
import type { Submission } from './submit-case.ts';

/** The patient waits for the answer to the submission. */
const inlineMs = 8000;

/**
 * Analyses a case that was just submitted while its patient waits, for at most 8 s; what fails or takes longer is left to
 * the workers. Never throws: the case is stored already.
 */
export async function analyseNow(
  context: Context,
  actor: TenantActor,
  { record, message }: Submission,
): Promise<void> {
  const { db, log, outbox, clock } = context;
  if (message === undefined) return;
  const ref = { tenantId: record.tenant_id, caseUuid: record.uuid };
  const ended = new AbortController();
  try {
    await analyseCase(context, actor, ref, deadlineIn(inlineMs, ended.signal));
    await removeMessage(db, message);
  } catch (error) {
    log.warn('case_analysis_postponed', { case: record.uuid, ...describeError(error) });
    const seconds = retryAfterSeconds(message.attempt);
    try {
      await postponeMessage(db, message, seconds, errorCode(error) ?? 'unexpected', clock.now());
      outbox.kick(seconds);
    } catch (lost) {
      // The message's claim ends by itself.
      log.warn('case_analysis_postponed', { case: record.uuid, ...describeError(lost) });
    }
  } finally {
    ended.abort();
    // Those on call may have to learn of it at once, also of what was found before anything failed.
    outbox.kick();
  }
}
