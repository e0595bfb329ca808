import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { analyseNow } from '../admission/analyse-now.ts';
import type { Submission } from '../admission/submit-case.ts';
import { requirePatientAction } from '../record/patient-actions.ts';
import type { CaseUpdate } from './case-input.schemas.ts';
import { editCase } from './edit-case.ts';
import { judgeAdded } from './judge-added.ts';
import { judgeHeld } from './judge-held.ts';
import type { MobileCase } from '../record/mobile-case.schemas.ts';
import { lockOwnCase, requireVersion } from '../record/own-case.ts';
import { readMobileCase } from './read-case.ts';
import { readReplyRules, submitOrReply } from './submit-or-reply.ts';

interface Updated {
  submission?: Submission | undefined;
  isJudged: boolean;
}

/**
 * Changes a draft, or what was asked for of a case on hold, or of an urgent one in the queue (T02): the answers as a whole, as a
 * new revision, and all photos. With `submit` a draft or a held case goes on from there, in the same transaction; a held case with
 * a new danger does so without.
 *
 * @param version that the client has read.
 * @throws {Problem} `case_not_found`, `case_state_conflict`, `version_conflict`, `patient_not_found`, `image_not_found`,
 *   `anamnesis_invalid`, `age_mismatch`, `consent_outdated`, `case_incomplete`, `message_required`
 */
export async function updateCase(
  context: Context,
  actor: AccountActor,
  input: CaseUpdate,
  version: number,
): Promise<MobileCase> {
  const { db, outbox } = context;
  const rules = await readReplyRules(context, actor.tenantId, input.consent);
  const { submission, isJudged } = await inTenant(db, actor.tenantId, async (tx): Promise<Updated> => {
    const record = await lockOwnCase(tx, actor, input.uuid);
    requirePatientAction(record, 'update', context.request.receivedAt);
    requireVersion(record, version);
    const changed = await editCase(tx, context, actor, record, input);
    if (changed.status === 'queued') {
      await judgeAdded(tx, context, changed, { rules: rules.cases, isReplied: input.submit });
      return { isJudged: true };
    }
    if (input.submit) {
      return { isJudged: true, submission: await submitOrReply(tx, context, actor, changed, rules) };
    }
    // The flags of a draft are found when it is submitted.
    if (changed.status === 'draft') return { isJudged: false };
    return { isJudged: true, submission: await judgeHeld(tx, context, actor, changed, rules) };
  });
  // News for those who are on call waits neither for the analysis nor for the timer.
  if (isJudged) outbox.kick();
  if (submission !== undefined) await analyseNow(context, actor, submission);
  return await readMobileCase(context, actor, input.uuid);
}
