import { createHash } from 'node:crypto';
import type { Tx } from '../../../lib/db/connect.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import type { CaseRecord } from '../record/case.queries.ts';

/**
 * A new revision by the author of the current one.
 * @param text the answers as canonical JSON.
 */
export async function insertRevisionWithAge(
  tx: Tx,
  record: Pick<CaseRecord, 'uuid' | 'anamnesis_revision'>,
  { revision, text }: { revision: number; text: string },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('request_anamneses')
    .columns([
      'case_uuid',
      'tenant_id',
      'revision',
      'anamnesis',
      'sha256',
      'schema_version',
      'author_user_id',
      'author_kind',
      'created_at',
    ])
    .expression((eb) =>
      eb
        .selectFrom('request_anamneses')
        .select((select) => [
          'case_uuid',
          'tenant_id',
          select.val(revision).as('revision'),
          select.cast<PartialAnamnesis>(select.val(text), 'jsonb').as('anamnesis'),
          select.val(createHash('sha256').update(text).digest()).as('sha256'),
          'schema_version',
          'author_user_id',
          'author_kind',
          select.val(now).as('created_at'),
        ])
        .where('case_uuid', '=', record.uuid)
        .where('revision', '=', record.anamnesis_revision),
    )
    .execute();
}
