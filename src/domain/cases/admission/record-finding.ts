import type { Tx } from '../../../lib/db/connect.ts';
import { lockCase } from '../record/apply-transition.ts';
import type { Finding } from './ask-about-case.ts';
import { addFlags, hasGrown } from '../record/case-flags.ts';
import {
  announceDanger,
  answerColumns,
  type At,
  awaitsAnalysis,
  flagColumns,
  flagsOf,
  recordEmergency,
} from './record-analysis.ts';

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
  const changed = await tx
    .updateTable('request_records')
    .set({
      ...flagColumns(flags),
      ...(finding.answer !== undefined && answerColumns(finding.answer)),
      version: record.version + 1,
    })
    .where('uuid', '=', record.uuid)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordEmergency(tx, at.audit, record, { ...changed, updated_at: at.now });
  await announceDanger(tx, at, record, changed);
}
