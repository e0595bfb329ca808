import type { TenantActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Deadline } from '../../../lib/ai/deadline.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { listPhotosToJudge } from '../photos/case-photos.queries.ts';
import { findAnswered, readAnamnesis } from '../record/analysis.queries.ts';
import { awaitsAnalysis } from '../record/case-status.ts';
import { type CaseRecord, findCase } from '../record/case.queries.ts';
import { askAboutCase, type CaseSubject } from './ask-about-case.ts';
import { judgeCase } from './judge-case.ts';
import {
  analysedWithinMs,
  emergencyAnalysedWithinMs,
  recordAnalysis,
  recordDegraded,
  recordFinding,
} from './record-analysis.ts';

export type AnalyseContext = Pick<
  Context,
  'db' | 'ai' | 'members' | 'audit' | 'blobs' | 'config' | 'request' | 'clock' | 'log' | 'memory'
>;

interface CaseRef {
  tenantId: number;
  caseUuid: string;
}

/**
 * Takes a submitted case one step further, from wherever an earlier attempt left it: asks the AI service, or ends the attempts 15
 * minutes after the submission, of an emergency after one. Any number of workers may do it at once: each step is recorded once.
 * The next step is {@link judgeCase}.
 *
 * @throws {AiFailure}, {BlobUnavailable}, {AnswersChanged} when it is to be tried again.
 */
export async function analyseCase(
  context: AnalyseContext,
  actor: TenantActor,
  ref: CaseRef,
  deadline: Deadline,
): Promise<void> {
  const { db, audit, clock } = context;
  const subject = await inTenant(db, ref.tenantId, async (tx) => {
    const record = await findCase(tx, ref.caseUuid);
    if (record === undefined || !awaitsAnalysis(record)) return undefined;
    if (isTooLate(record, clock.now())) return 'too late' as const;
    return {
      uuid: record.uuid,
      tenantId: ref.tenantId,
      revision: record.anamnesis_revision,
      language: record.language,
      anamnesis: await readAnamnesis(tx, record),
      unjudged: (await listPhotosToJudge(tx, record.uuid))
        .filter(({ verdict }) => verdict === null)
        .map(({ uuid, blob_name: blobName }) => ({ uuid, blobName })),
      answered: await findAnswered(tx, record),
      accountId: record.account_user_id,
    } satisfies CaseSubject & { accountId: number | null };
  });
  if (subject === 'too late') await giveUp(context, ref);
  else if (subject !== undefined) {
    const asking = { ...context, audit: audit.as(auditEvents.caseAiAsked) };
    const { revision, accountId } = subject;
    const about = { caseUuid: ref.caseUuid, revision };
    const isPatientWaiting = actor.kind === 'account' && actor.id === accountId;
    const at = () => ({ audit, now: clock.now(), isPatientWaiting });
    const answer = await askAboutCase(asking, actor, subject, {
      deadline,
      onFinding: (finding) =>
        inTenant(db, ref.tenantId, (tx) => recordFinding(tx, at(), { ...about, finding })),
    });
    await inTenant(db, ref.tenantId, (tx) => recordAnalysis(tx, at(), { ...about, answer }));
  }
  await judgeCase(context, ref);
}

async function giveUp(
  { db, audit, clock, log }: AnalyseContext,
  { tenantId, caseUuid }: CaseRef,
): Promise<void> {
  await inTenant(db, tenantId, (tx) =>
    recordDegraded(tx, { audit, now: clock.now(), isPatientWaiting: false }, caseUuid),
  );
  log.warn('case_analysis_degraded', { case: caseUuid, tenant: tenantId });
}

/** Of a case on hold the time counts from the patient's reply, of one that was reopened from then on. */
function isTooLate(record: CaseRecord, now: Date): boolean {
  const { status, status_changed_at: submitted, updated_at: replied } = record;
  const since = status === 'on_hold' ? replied : submitted;
  const withinMs = record.urgency === 'emergency' ? emergencyAnalysedWithinMs : analysedWithinMs;
  return now.getTime() - since.getTime() >= withinMs;
}
