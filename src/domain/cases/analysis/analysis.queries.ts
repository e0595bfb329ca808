import type { Tx } from '../../../lib/db/connect.ts';
import type { ImageValidity } from '../../intake/diagnoses/diagnosis.schemas.ts';
import { findCaseDiagnosis } from '../../intake/ai-calls/ai-call.queries.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import type { CaseRecord } from '../state/apply-transition.ts';
import { CaseAnalysis } from './case-analysis.ts';

/** The verdict of the AI service on a photo, as a case remembers it. */
export type PhotoVerdict = Pick<ImageValidity, 'isValid' | 'score' | 'issues'>;

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

/** The photos of a case that are stored, in their order. */
export async function listPhotos(tx: Tx, caseUuid: string) {
  const rows = await tx
    .selectFrom('case_images as attached')
    .innerJoin('images as image', (join) =>
      join
        .onRef('image.tenant_id', '=', 'attached.tenant_id')
        .onRef('image.uuid', '=', 'attached.image_uuid'),
    )
    .select(['image.uuid', 'image.blob_name', 'image.sha256', 'attached.quality'])
    .where('attached.case_uuid', '=', caseUuid)
    .where('attached.removed_at', 'is', null)
    .where('image.state', '=', 'stored')
    .where('image.deleted_at', 'is', null)
    .orderBy('attached.position')
    .execute();
  return rows.map(({ quality, ...photo }) => ({ ...photo, verdict: quality as PhotoVerdict | null }));
}

export async function storePhotoVerdict(
  tx: Tx,
  { caseUuid, imageUuid }: { caseUuid: string; imageUuid: string },
  { isValid, score, issues }: ImageValidity,
): Promise<void> {
  await tx
    .updateTable('case_images')
    .set({ quality: JSON.stringify({ isValid, score, issues }) })
    .where('case_uuid', '=', caseUuid)
    .where('image_uuid', '=', imageUuid)
    .execute();
}

/** What an earlier attempt was answered about this revision of the answers. */
export async function findAnswered(
  tx: Tx,
  { uuid, anamnesis_revision: revision }: Pick<CaseRecord, 'uuid' | 'anamnesis_revision'>,
): Promise<{ uuid: string; analysis: CaseAnalysis } | undefined> {
  const found = await findCaseDiagnosis(tx, { caseUuid: uuid, revision });
  return found && { uuid: found.uuid, analysis: CaseAnalysis.parse(found.answer) };
}
