import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Context } from '../../../lib/app/context.ts';
import { openCursor, sealCursor } from '../../../lib/paging/cursor.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { toPage } from '../../../lib/paging/page.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { countPatientsRead } from '../../platform/throttle/count-patients-read.ts';
import { patientsInCare } from '../../cases/record/patients-in-care.queries.ts';
import { toPerson } from '../../identity/patients/person.ts';
import { showSummaries } from '../cases/show-summaries.ts';
import {
  finalAnswers,
  findPatient,
  findRelatives,
  isHistoryReadSince,
  listHistory,
} from './history.queries.ts';
import type { HistoryReason, PatientHistory } from './history.schemas.ts';

/** Reads of one history in one session for one reason within this time are one row. */
const sameReadMs = 10 * 60 * 1000;

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

interface HistoryRead {
  patient: { id: number; uuid: string };
  reason: HistoryReason | null;
  /** Whether the caller treats or has treated the patient; otherwise the reason has broken the glass. */
  isTreated: boolean;
}

/** Writes that the caller reads a history: before the reply, so that no read is without its row. */
async function recordHistoryRead(
  tx: Tx,
  { audit, request: { receivedAt: now } }: Pick<Context, 'audit' | 'request'>,
  actor: AccountActor,
  { patient, reason, isTreated }: HistoryRead,
): Promise<void> {
  const since = new Date(now.getTime() - sameReadMs);
  if (await isHistoryReadSince(tx, actor, { patientUuid: patient.uuid, reason, since })) return;
  await audit.as(auditEvents.historyRead).succeeded(tx, {
    subject: { kind: 'patient', uuid: patient.uuid },
    patientId: patient.id,
    detail: { reason, break_glass: !isTreated },
  });
}
