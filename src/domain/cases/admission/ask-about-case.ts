import type { TenantActor } from '../../../contract/actor.ts';
import type { Language } from '../../../contract/language.ts';
import type { Deadline } from '../../../lib/ai/deadline.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { inspectImage } from '../../../lib/image/inspect.ts';
import { withoutMetadata } from '../../media/images/accept-image.ts';
import { askAi } from '../../intake/ai-calls/ask-ai.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { ImageValidityReply, PredictionsReply } from '../../intake/diagnoses/diagnosis.schemas.ts';
import { assessRedFlags } from '../../intake/red-flags/assess-red-flags.ts';
import { type RedFlags, RedFlagsReply } from '../../intake/red-flags/red-flags.schemas.ts';
import { escalateTriage } from '../../intake/triage/assess-triage.ts';
import { type TriageLevel, TriageReply } from '../../intake/triage/triage.schemas.ts';
import { storePhotoVerdict } from '../photos/case-photos.queries.ts';
import type { CaseAnalysis } from '../record/case-analysis.ts';

/** A case as the AI service is asked about it. */
export interface CaseSubject {
  uuid: string;
  tenantId: number;
  revision: number;
  language: Language;
  anamnesis: PartialAnamnesis;
  /** Photos without a verdict. */
  unjudged: readonly { uuid: string; blobName: string }[];
  /** The answer that an earlier attempt got about this revision. */
  answered: Answer | undefined;
}

export interface Answer {
  /** Of its row in `ml_diagnosis_results`. */
  uuid: string;
  analysis: CaseAnalysis;
}

/** Flags that are known before the analysis is complete. */
export interface Finding {
  redFlags: RedFlags;
  level: TriageLevel | undefined;
  /** Absent when a route that the answer needs has failed. */
  answer?: Answer;
}

type OnFinding = (finding: Finding) => Promise<void>;

export type AnalysisContext = Pick<
  Context,
  'db' | 'memory' | 'ai' | 'audit' | 'blobs' | 'config' | 'request'
>;

/**
 * Asks the AI service for all that a case is judged by: predictions, red flags, triage, and a verdict on each photo. What
 * an earlier attempt has learnt is not asked again.
 *
 * @param onFinding called with red flags that are known while anything else is missing: a danger waits for neither a photo
 *   nor another route.
 * @throws {AiFailure}, {BlobUnavailable} when anything is missing; what was answered is stored nevertheless.
 */
export async function askAboutCase(
  context: AnalysisContext,
  actor: TenantActor,
  subject: CaseSubject,
  { deadline, onFinding }: { deadline: Deadline; onFinding: OnFinding },
): Promise<Answer> {
  const inItsLanguage = { ...context, request: { ...context.request, language: subject.language } };
  const report = async (finding: Finding) => {
    if (finding.redFlags.flags.length > 0) await onFinding(finding);
  };
  const diagnosed = async () => {
    const answer = subject.answered ?? (await diagnose(inItsLanguage, actor, subject, { deadline, report }));
    const { red_flags: redFlags, triage } = answer.analysis;
    if (subject.unjudged.length > 0) await report({ redFlags, level: triage.priority, answer });
    return answer;
  };
  const [answered, judged] = await Promise.allSettled([
    diagnosed(),
    judgePhotos(inItsLanguage, actor, subject, deadline),
  ]);
  if (answered.status === 'rejected') throw answered.reason;
  if (judged.status === 'rejected') throw judged.reason;
  return answered.value;
}

async function diagnose(
  context: AnalysisContext,
  actor: TenantActor,
  { uuid: caseUuid, revision, anamnesis, language }: CaseSubject,
  { deadline, report }: { deadline: Deadline; report: OnFinding },
): Promise<Answer> {
  const answers = { json: anamnesis };
  let resultUuid = '';
  const analysis = await askAi(context, actor, {
    kind: 'diagnosis',
    needed: {
      predict_diagnosis: { body: answers, reply: PredictionsReply },
      red_flags: { body: answers, reply: RedFlagsReply },
      triage: { body: answers, reply: TriageReply },
    },
    timeoutMs: timeLeft(context, deadline),
    about: { caseUuid, revision },
    toAnswer({ predict_diagnosis: { predictions, modelVersion }, red_flags: flags, triage: level }) {
      const { redFlags, safetyNet } = assessRedFlags({ redFlags: flags, triage: level }, anamnesis, language);
      const { triage } = escalateTriage(level, redFlags, language);
      const answer = { predictions, red_flags: redFlags, triage, modelVersion };
      return { answer, safetyNet };
    },
    async onRecorded(_tx, recorded) {
      resultUuid = recorded;
    },
    async onPartial({ red_flags: flags, triage: level }) {
      const { redFlags } = assessRedFlags({ redFlags: flags, triage: level }, anamnesis, language);
      await report({ redFlags, level: level?.priority });
    },
  });
  return { uuid: resultUuid, analysis };
}

/** One after another, because a case may have ten photos of 15 MB. */
async function judgePhotos(
  context: AnalysisContext,
  actor: TenantActor,
  { uuid: caseUuid, tenantId, revision, unjudged }: CaseSubject,
  deadline: Deadline,
): Promise<void> {
  for (const { uuid, blobName } of unjudged) {
    const bytes = await context.blobs.get(blobName, undefined, deadline.signal);
    const facts = bytes && inspectImage(bytes);
    // A photo whose bytes are gone is reported at night; the physician sees that there is none.
    if (bytes === undefined || !facts?.ok) continue;
    const body = { image: withoutMetadata({ bytes, facts }).pieces, contentType: facts.type };
    const verdict = await askAi(context, actor, {
      kind: 'image_validity',
      needed: { image_validity: { body, reply: ImageValidityReply } },
      timeoutMs: timeLeft(context, deadline),
      about: { caseUuid, revision },
      toAnswer: ({ image_validity: answer }) => ({ answer }),
    });
    await inTenant(context.db, tenantId, (tx) =>
      storePhotoVerdict(tx, { caseUuid, imageUuid: uuid }, verdict),
    );
  }
}

function timeLeft({ config }: AnalysisContext, deadline: Deadline): number {
  return Math.max(1, Math.min(config.AI_TIMEOUT_MS, deadline.remainingMs()));
}
