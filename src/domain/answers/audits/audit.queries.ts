import type { Selectable } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../../lib/db/connect.ts';
import type { AuditAnnotations } from '../../../lib/db/tables.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import type { AuditInput } from '../annotations/annotation-input.schemas.ts';

export type AuditRow = Selectable<AuditAnnotations>;

export async function findAudit(tx: Tx, uuid: string): Promise<AuditRow | undefined> {
  return await tx.selectFrom('audit_annotations').selectAll().where('uuid', '=', uuid).executeTakeFirst();
}

/** All of these cases, the oldest first. */
export async function findAudits(tx: Tx, caseUuids: readonly string[]): Promise<AuditRow[]> {
  return await tx
    .selectFrom('audit_annotations')
    .selectAll()
    .where('case_uuid', 'in', caseUuids)
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();
}

/** The caller's audit of the answer that counts; also a draft about an answer that was amended meanwhile. */
export async function findOwnAudit(
  tx: Tx,
  record: CaseRecord,
  auditor: number,
): Promise<AuditRow | undefined> {
  return await tx
    .selectFrom('audit_annotations')
    .selectAll()
    .where('case_uuid', '=', record.uuid)
    .where('auditor_id', '=', auditor)
    .where('status', '!=', 'cancelled')
    .where((eb) =>
      eb.or([eb('annotation_uuid', '=', record.final_annotation_uuid), eb('status', '=', 'draft')]),
    )
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
}

export interface NewAudit {
  /** The UUID of the answer. */
  answer: string;
  /** Of `physicians`. */
  auditor: number;
  input: AuditInput;
}

export async function insertDraft(
  tx: Tx,
  record: Pick<CaseRecord, 'uuid' | 'tenant_id'>,
  { answer, auditor, input }: NewAudit,
  now: Date,
): Promise<AuditRow> {
  return await tx
    .insertInto('audit_annotations')
    .values({
      ...auditColumns(input),
      uuid: uuidv7(),
      tenant_id: record.tenant_id,
      case_uuid: record.uuid,
      annotation_uuid: answer,
      auditor_id: auditor,
      status: 'draft',
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** What an audit says, as columns. */
export function auditColumns({ own_diagnosis: diagnosis, scores, ...plain }: AuditInput) {
  return {
    ...plain,
    own_diagnosis: diagnosis === null ? null : JSON.stringify(diagnosis),
    scores: scores === null ? null : JSON.stringify(scores),
  };
}

/** The case itself does not change: its version stays. */
export async function setAuditState(tx: Tx, { uuid }: CaseRecord, state: 'pending' | 'done'): Promise<void> {
  await tx.updateTable('request_records').set({ audit_state: state }).where('uuid', '=', uuid).execute();
}
