import { sql } from 'kysely';
import type { AccountActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Position } from '../../../lib/paging/cursor.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { DermatologistAnnotation } from '../../answers/annotations/annotation.schemas.ts';
import { findAuthors } from '../../answers/annotations/author.queries.ts';
import { showAnswer } from '../../answers/annotations/list-annotations.ts';
import { type PersonRow, personColumns } from '../../identity/patients/person.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import type { HistoryReason } from './history.schemas.ts';

export type PatientRow = PersonRow & { account_user_id: number | null };

const identifier = /^[A-Za-z0-9._-]{1,64}$/;
const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A patient by UUID or by the clinic's own id.
 * @throws {Problem} `validation_error` for a mail address, since addresses of requests are logged on their way;
 *   `patient_not_found`
 */
export async function findPatient(tx: Tx, named: string): Promise<PatientRow> {
  if (named.includes('@')) {
    const message = 'Must be the UUID of a patient or an external id, never a mail address.';
    throw new Problem('validation_error', {
      errors: [{ pointer: '/user_identifier', code: 'invalid_format', message }],
    });
  }
  if (!identifier.test(named)) throw new Problem('patient_not_found');
  const rows = await tx
    .selectFrom('patients')
    .select([...personColumns, 'account_user_id'])
    .where((eb) =>
      uuidForm.test(named)
        ? eb.or([eb('uuid', '=', named), eb('external_id', '=', named)])
        : eb('external_id', '=', named),
    )
    .where('erased_at', 'is', null)
    .execute();
  // An external id may look like the UUID of another patient.
  const found = rows.find(({ uuid }) => uuid === named.toLowerCase()) ?? rows[0];
  if (found === undefined) throw new Problem('patient_not_found');
  return found;
}

/** The other people of the patient's account. */
export async function findRelatives(tx: Tx, patient: PatientRow): Promise<PersonRow[]> {
  if (patient.account_user_id === null) return [];
  return await tx
    .selectFrom('patients')
    .select(personColumns)
    .where('account_user_id', '=', patient.account_user_id)
    .where('id', '!=', patient.id)
    .where('erased_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Submitted cases of a patient, the newest first. @param position of the last one of the page before. */
export async function listHistory(
  tx: Tx,
  patientId: number,
  { position, limit }: { position: Position | undefined; limit: number },
): Promise<(CaseRecord & { position: string })[]> {
  const [at, id] = position ?? [];
  return await tx
    .selectFrom('request_records')
    .selectAll()
    .select(sql<string>`created_at::text`.as('position'))
    .where('patient_id', '=', patientId)
    .where('submitted_at', 'is not', null)
    .where('erased_at', 'is', null)
    .$if(position !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${at}::timestamptz, ${id}::bigint)`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** By the UUID of the answer. */
export async function finalAnswers(
  tx: Tx,
  records: readonly CaseRecord[],
): Promise<ReadonlyMap<string, DermatologistAnnotation>> {
  const uuids = records.flatMap(({ final_annotation_uuid: uuid }) => uuid ?? []);
  if (uuids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('dermatologist_annotations')
    .selectAll()
    .where('uuid', '=', sql<string>`ANY (${uuids}::uuid[])`)
    .execute();
  const authors = await findAuthors(
    tx,
    rows.map((row) => row.physician_id),
  );
  return new Map(rows.map((row) => [row.uuid, showAnswer(row, authors)]));
}

/** Whether this session has read the patient's history since then, for the same reason. */
export async function isHistoryReadSince(
  tx: Tx,
  { tenantId, sessionUuid }: AccountActor,
  { patientUuid, reason, since }: { patientUuid: string; reason: HistoryReason | null; since: Date },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM event_logs
    WHERE category = 'access' AND tenant_id = ${tenantId} AND subject_uuid = ${patientUuid}
      AND at > ${since} AND action = ${auditEvents.historyRead.success}
      AND outcome = 'success' AND session_id = ${sessionUuid}
      AND detail ->> 'reason' IS NOT DISTINCT FROM ${reason}::text LIMIT 1`.execute(tx);
  return rows.length > 0;
}
