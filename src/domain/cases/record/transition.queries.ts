import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseChanges, CaseRecord } from './case.queries.ts';
import type { CaseStatus, PendingStatus } from './case-status.ts';

export type NewCase = Omit<
  CaseChanges & Pick<CaseRecord, 'uuid' | 'tenant_id' | 'patient_id' | 'source' | 'language'>,
  'created_at'
>;

export async function insertDraft(tx: Tx, columns: NewCase, now: Date): Promise<CaseRecord> {
  return await tx
    .insertInto('request_records')
    .values({ ...columns, status: 'draft', status_changed_at: now, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Raises the version. @throws when `record` is not the version that is stored. */
export async function moveCase(
  tx: Tx,
  record: CaseRecord,
  {
    status,
    pendingStatus,
    set,
  }: { status: CaseStatus; pendingStatus: PendingStatus | null; set: CaseChanges },
  now: Date,
): Promise<CaseRecord> {
  return await tx
    .updateTable('request_records')
    .set({
      ...set,
      status,
      pending_status: pendingStatus,
      ...(status !== record.status && { status_changed_at: now }),
      version: record.version + 1,
      updated_at: now,
    })
    .where('uuid', '=', record.uuid)
    .where('version', '=', record.version)
    .returningAll()
    .executeTakeFirstOrThrow();
}
