import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { openCursor, sealCursor } from '../../../lib/paging/cursor.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { toPage } from '../../../lib/paging/page.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { countPatientsRead } from '../../platform/throttle/count-patients-read.ts';
import { patientsInCare } from '../../cases/record/patients-in-care.queries.ts';
import { showSummaries } from '../cases/show-summaries.ts';
import { toPerson } from '../../identity/patients/person.ts';
import { finalAnswers, findPatient, findRelatives, listHistory } from './history.queries.ts';
import type { HistoryReason, PatientHistory } from './history.schemas.ts';
import { recordHistoryRead } from './record-history-read.ts';

export interface HistoryQuery {
  cursor?: string | undefined;
  limit: number;
  reason?: HistoryReason | undefined;
}

/**
 * The submitted cases of a patient with their answers, for physicians who treat or have treated the patient. Without that
 * relation a reason opens it, for admins too, and the event log has it as breaking the glass.
 * @param named UUID or external id
 * @throws {Problem} `patient_not_found`, also for people of the caller's own account; `reason_required`; `cursor_invalid`;
 *   `validation_error` for a mail address
 */
export async function readHistory(
  context: Context,
  actor: AccountActor,
  named: string,
  { cursor, limit, reason }: HistoryQuery,
): Promise<PatientHistory> {
  const { config, db, request } = context;
  const { receivedAt: now, language } = request;
  return await inTenant(db, actor.tenantId, async (tx) => {
    const staff = await loadStaff(tx, actor);
    const patient = await findPatient(tx, named);
    if (patient.account_user_id === actor.id) throw new Problem('patient_not_found');
    const relatives = await findRelatives(tx, patient);
    const inCare = await patientsInCare(
      tx,
      staff,
      [patient, ...relatives].map(({ id }) => id),
    );
    const isTreated = inCare.has(patient.id);
    if (!isTreated && reason === undefined) throw new Problem('reason_required');
    const filters = { caller: actor.uuid, patient: patient.uuid };
    const of = { list: 'history of a patient', tenantId: actor.tenantId, filters };
    const position = cursor === undefined ? undefined : openCursor(config, of, cursor);
    const records = await listHistory(tx, patient.id, { position, limit: limit + 1 });
    const page = toPage(records, limit, (last) => sealCursor(config, of, [last.position, last.id]));
    const answers = await finalAnswers(tx, page.items);
    const summaries = await showSummaries(tx, { language, now }, page.items);
    await recordHistoryRead(tx, context, actor, { patient, reason: reason ?? null, isTreated });
    await countPatientsRead(tx, context, actor, [patient.uuid]);
    return {
      patient: toPerson(patient, now),
      profiles: relatives.filter(({ id }) => inCare.has(id)).map((row) => toPerson(row, now)),
      items: summaries.map((summary, index) => ({
        ...summary,
        final_annotation: answers.get(page.items[index]?.final_annotation_uuid ?? '') ?? null,
      })),
      next_cursor: page.next_cursor,
    };
  });
}
