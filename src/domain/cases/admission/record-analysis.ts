import type { Selectable } from 'kysely';
import { auditEvents } from '../../../contract/audit.ts';
import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { RequestRecords } from '../../../lib/db/tables.ts';
import { enqueueNews } from '../../announce/news/enqueue-news.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { evaluateRedFlags } from '../../intake/red-flags/evaluate-red-flags.ts';
import type { TriageLevel } from '../../intake/triage/triage.schemas.ts';
import { rankOf } from '../record/due-time.ts';
import { applyTransition, type CaseChanges, type CaseRecord, lockCase } from '../record/apply-transition.ts';
import { findAnswered, readAnamnesis } from '../record/analysis.queries.ts';
import type { Answer } from './ask-about-case.ts';
import { addFlags, type CaseFlags, flagCodes } from '../record/case-flags.ts';

/** How long after its submission a case is still analysed; later a human looks without the AI service. */
export const analysedWithinMs = 15 * 60 * 1000;
/** Of an emergency: until then no physician sees it, and no reply of the AI service can make it more urgent. */
export const emergencyAnalysedWithinMs = 60 * 1000;

/** Thrown when the patient has changed the answers that were analysed. */
export class AnswersChanged extends Error {
  readonly code = 'answers_changed';
}

export interface At {
  audit: AuditContext;
  now: Date;
  /** Whether the patient waits for the reply, which has all that is found. */
  isPatientWaiting: boolean;
}

/** Whether a case waits for its analysis: submitted, or answered by its patient while on hold. */
export function awaitsAnalysis({
  status,
  analysis_state: state,
}: Pick<CaseRecord, 'status' | 'analysis_state'>) {
  return state === 'pending' && (status === 'submitted' || status === 'on_hold');
}

/**
 * Records the answer of the AI service about a case (T04), once, however many workers have it.
 * @throws {AnswersChanged}
 */
export async function recordAnalysis(
  tx: Tx,
  at: At,
  { caseUuid, revision, answer }: { caseUuid: string; revision: number; answer: Answer },
): Promise<void> {
  const record = await lockCase(tx, caseUuid);
  if (record === undefined || !awaitsAnalysis(record)) return;
  if (record.anamnesis_revision !== revision) throw new AnswersChanged();
  const { red_flags: assessed, triage } = answer.analysis;
  const flags = addFlags(flagsOf(record), assessed, triage.priority);
  await analysed(tx, at, record, flags, { analysis_state: 'done', ...answerColumns(answer) });
}

/** The columns that name the answer of the AI service about a case. */
export function answerColumns({ uuid, analysis: { predictions } }: Answer) {
  const [top] = predictions;
  return {
    ml_result_uuid: uuid,
    top_disease: top?.disease ?? null,
    // PostgreSQL refuses what underflows its four bytes; rounded, it is zero.
    top_probability: top === undefined ? null : Math.fround(top.probability),
  };
}

/**
 * Ends the analysis of a case without all that it was asked for: a human looks within 24 hours, or sooner where our own rules
 * or what the AI service has answered require it.
 */
export async function recordDegraded(tx: Tx, at: At, caseUuid: string): Promise<void> {
  const record = await lockCase(tx, caseUuid);
  if (record === undefined || !awaitsAnalysis(record)) return;
  const own = withOwnRules(record, await readAnamnesis(tx, record), 'urgent_24h');
  const answer = await findAnswered(tx, record);
  const { red_flags: assessed, triage } = answer?.analysis ?? {};
  const flags = assessed === undefined ? own : addFlags(own, assessed, triage?.priority);
  const set = answer === undefined ? {} : answerColumns(answer);
  await analysed(tx, at, record, flags, { analysis_state: 'degraded', ...set });
}

async function analysed(
  tx: Tx,
  at: At,
  record: CaseRecord,
  flags: CaseFlags,
  set: CaseChanges,
): Promise<void> {
  const changed = await applyTransition(tx, at, record, {
    transition: 'analyse',
    set: { ...set, ...flagColumns(flags) },
    detail: {
      analysis: set.analysis_state ?? null,
      triage_level: flags.triageLevel,
      urgency: flags.urgency,
      flags: flagCodes(flags.redFlags),
    },
  });
  await recordEmergency(tx, at.audit, record, changed);
  await announceDanger(tx, at, record, changed);
}

/**
 * An event of its own for a case that becomes an emergency, by its flags or by the level that staff give it; physicians on call
 * get the news.
 */
export async function recordEmergency(
  tx: Tx,
  audit: AuditContext,
  before: Pick<CaseRecord, 'urgency' | 'triage_level'>,
  record: CaseRecord,
): Promise<void> {
  const { uuid, tenant_id: tenantId, patient_id: patientId, urgent_flags: flags } = record;
  const becomes = (column: 'urgency' | 'triage_level') =>
    record[column] === 'emergency' && before[column] !== 'emergency';
  if (!becomes('urgency') && !becomes('triage_level')) return;
  await audit.as(auditEvents.caseEmergency).succeeded(tx, {
    tenantId,
    subject: { kind: 'case', uuid },
    caseUuid: uuid,
    patientId,
    detail: { flags: flagCodes(flags) },
  });
  await enqueueNews(tx, record, 'emergency', record.updated_at);
}

/** The patient's message about a danger that the case did not have before. */
export async function announceDanger(
  tx: Tx,
  { now, isPatientWaiting }: Pick<At, 'now' | 'isPatientWaiting'>,
  before: CaseRecord,
  record: CaseRecord,
): Promise<void> {
  if (isPatientWaiting || !isMoreDangerous(flagsOf(record), before)) return;
  await enqueueNews(tx, record, 'flags_found', now);
}

/** The record's flags and those that our own rules find in its answers, which need no AI service. */
export function withOwnRules(
  record: CaseRecord,
  anamnesis: PartialAnamnesis,
  level?: TriageLevel,
): CaseFlags {
  return addFlags(flagsOf(record), evaluateRedFlags(anamnesis, undefined, record.language), level);
}

/** Whether `found` has a flag of high or emergency urgency that is met, or an emergency, which the record has not. */
export const isMoreDangerous = (
  found: CaseFlags,
  record: Pick<CaseRecord, 'urgent_flags' | 'urgency'>,
): boolean =>
  found.urgentFlags.length > record.urgent_flags.length ||
  (found.urgency === 'emergency' && record.urgency !== 'emergency');

export function flagsOf(
  record: Pick<Selectable<RequestRecords>, 'red_flags' | 'urgent_flags' | 'urgency' | 'triage_level'>,
): CaseFlags {
  return {
    redFlags: record.red_flags,
    urgentFlags: record.urgent_flags,
    urgency: record.urgency,
    triageLevel: record.triage_level,
  };
}

/** The columns that say what is dangerous about a case. */
export function flagColumns({ redFlags, urgentFlags, urgency, triageLevel }: CaseFlags) {
  return {
    red_flags: [...redFlags],
    has_red_flags: redFlags.length > 0,
    urgent_flags: [...urgentFlags],
    urgency,
    triage_level: triageLevel,
    triage_rank: triageLevel === null ? null : rankOf(triageLevel),
  };
}
