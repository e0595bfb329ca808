import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { findAnswered, readAnamnesis } from '../record/analysis.queries.ts';
import { announceDanger, recordEmergency } from '../record/announce-danger.ts';
import { applyTransition } from '../record/apply-transition.ts';
import { type CaseChanges, type CaseRecord, lockCase } from '../record/case.queries.ts';
import {
  addFlags,
  type CaseFlags,
  flagCodes,
  flagColumns,
  flagsOf,
  hasGrown,
  withOwnRules,
} from '../record/case-flags.ts';
import { awaitsAnalysis } from '../record/case-status.ts';
import type { Answer, Finding } from './ask-about-case.ts';
import { storeFinding } from './finding.queries.ts';

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

/**
 * Records what the AI service has found in a case whose analysis is not complete. The analysis goes on: `updated_at`, from
 * which the time counts that a reply may be analysed, stays. The version grows, because news of one version are sent once.
 */
export async function recordFinding(
  tx: Tx,
  at: At,
  { caseUuid, revision, finding }: { caseUuid: string; revision: number; finding: Finding },
): Promise<void> {
  const record = await lockCase(tx, caseUuid);
  if (record === undefined || !awaitsAnalysis(record) || record.anamnesis_revision !== revision) return;
  const flags = addFlags(flagsOf(record), finding.redFlags, finding.level);
  if (!hasGrown(flags, flagsOf(record))) return;
  const changed = await storeFinding(tx, record, {
    ...flagColumns(flags),
    ...(finding.answer !== undefined && answerColumns(finding.answer)),
  });
  await recordEmergency(tx, at.audit, record, { ...changed, updated_at: at.now });
  await announceDanger(tx, at, record, changed);
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
function answerColumns({ uuid, analysis: { predictions } }: Answer) {
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
