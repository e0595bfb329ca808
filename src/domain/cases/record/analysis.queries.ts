import type { Tx } from '../../../lib/db/connect.ts';
import { findCaseDiagnosis } from '../../intake/ai-calls/ai-call.queries.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import type { CaseRecord } from './case.queries.ts';
import { CaseAnalysis } from './case-analysis.ts';

/** The answers of one revision of a case. */
export async function readAnamnesis(
  tx: Tx,
  record: Pick<CaseRecord, 'uuid' | 'anamnesis_revision'>,
): Promise<PartialAnamnesis> {
  const { anamnesis } = await tx
    .selectFrom('request_anamneses')
    .select('anamnesis')
    .where('case_uuid', '=', record.uuid)
    .where('revision', '=', record.anamnesis_revision)
    .executeTakeFirstOrThrow();
  return anamnesis as PartialAnamnesis;
}

/**
 * What an earlier attempt was answered about this revision of the answers; undefined as well for an answer that this release
 * cannot read, which must hold up no case: it would end neither with an analysis nor without one.
 */
export async function findAnswered(
  tx: Tx,
  { uuid, anamnesis_revision: revision }: Pick<CaseRecord, 'uuid' | 'anamnesis_revision'>,
): Promise<{ uuid: string; analysis: CaseAnalysis } | undefined> {
  const found = await findCaseDiagnosis(tx, { caseUuid: uuid, revision });
  const { data: analysis } = CaseAnalysis.safeParse(found?.answer);
  return found && analysis && { uuid: found.uuid, analysis };
}
