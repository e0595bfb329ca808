import { sql } from 'kysely';
import type { AccountActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { EventRow } from '../../../lib/app/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { isVisibleTo } from '../../cases/record/visible-cases.queries.ts';
import type { Staff } from '../../identity/groups/staff.ts';

// A literal: with a parameter a prepared statement could not use the index that has only such rows.
const isAnswered = sql<boolean>`status = 'answered'`;

/** Cases of one tenant whose answer is to be published by now, the longest overdue first. */
export async function findDueCases(
  tx: Tx,
  tenantId: number,
  now: Date,
  limit: number,
): Promise<{ uuid: string }[]> {
  return await tx
    .selectFrom('request_records')
    .select('uuid')
    .where('tenant_id', '=', tenantId)
    .where(isAnswered)
    .where('publish_at', '<=', now)
    .orderBy('publish_at')
    .limit(limit)
    .execute();
}

/** Undefined where it is no longer due, or another transaction has it locked. */
export async function lockDueCase(tx: Tx, uuid: string, now: Date): Promise<CaseRecord | undefined> {
  return await tx
    .selectFrom('request_records')
    .selectAll()
    .where('uuid', '=', uuid)
    .where(isAnswered)
    .where('publish_at', '<=', now)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** A case as the readers of its annotations are recorded. */
export type ReadCase = Pick<CaseRecord, 'uuid' | 'patient_id'>;

/** Those of the given cases that staff may see. */
export async function findVisibleCases(tx: Tx, staff: Staff, uuids: readonly string[]): Promise<ReadCase[]> {
  return await tx
    .selectFrom('request_records')
    .select(['uuid', 'patient_id'])
    .where('uuid', 'in', uuids)
    .where(isVisibleTo(staff))
    .execute();
}

export async function findPatientUuids(tx: Tx, ids: readonly number[]): Promise<string[]> {
  const patients = await tx.selectFrom('patients').select('uuid').where('id', 'in', ids).execute();
  return patients.map(({ uuid }) => uuid);
}

/**
 * Leaves a case without an answer that counts. It is neither answered nor closed any more: the next answer is the patient's to
 * read once it is published.
 *
 * @param record locked.
 */
export async function clearFinal(tx: Tx, { uuid }: Pick<CaseRecord, 'uuid'>): Promise<void> {
  await tx
    .updateTable('request_records')
    .set({
      final_annotation_uuid: null,
      disease_id: null,
      answer_action: null,
      answered_urgent_flags: null,
      answered_urgency: null,
      answered_at: null,
      closed_at: null,
    })
    .where('uuid', '=', uuid)
    .execute();
}

/** Whether an account has ever taken a case from the queue. */
export async function hasTaken(tx: Tx, actor: AccountActor, caseUuid: string): Promise<boolean> {
  const taken = await tx
    .selectFrom('event_logs')
    .select('id')
    .where('tenant_id', '=', actor.tenantId)
    .where('case_uuid', '=', caseUuid)
    .where('category', '=', auditEvents.caseTaken.category)
    .where('action', '=', auditEvents.caseTaken.success)
    .where('actor_user_id', '=', actor.id)
    .limit(1)
    .executeTakeFirst();
  return taken !== undefined;
}

/** Whether the end of a lease made this version, and not a change of the case that waits. */
export async function isLeaseEnd(
  tx: Tx,
  { uuid, tenant_id: tenantId, version }: CaseRecord,
): Promise<boolean> {
  const ended = await tx
    .selectFrom('event_logs')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('case_uuid', '=', uuid)
    .where('category', '=', auditEvents.caseLeaseExpired.category)
    .where('action', '=', auditEvents.caseLeaseExpired.success)
    .where(sql`detail ->> 'version'`, '=', String(version))
    .limit(1)
    .executeTakeFirst();
  return ended !== undefined;
}

/** Events of many cases, in one statement. */
export async function insertEvents(tx: Tx, rows: readonly EventRow[]): Promise<void> {
  await tx
    .insertInto('event_logs')
    .values(rows.map((row) => ({ ...row, detail: JSON.stringify(row.detail) })))
    .execute();
}
