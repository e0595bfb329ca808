import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseChanges, CaseRecord } from '../record/case.queries.ts';

/** Raises the version and leaves `updated_at` as it is. @param record locked. */
export async function storeFinding(tx: Tx, record: CaseRecord, found: CaseChanges): Promise<CaseRecord> {
  return await tx
    .updateTable('request_records')
    .set({ ...found, version: record.version + 1 })
    .where('uuid', '=', record.uuid)
    .returningAll()
    .executeTakeFirstOrThrow();
}
