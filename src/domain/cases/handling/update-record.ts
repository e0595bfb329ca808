import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { readAnamnesis } from '../analysis/analysis.queries.ts';
import { flagCodes } from '../analysis/case-flags.ts';
import { flagColumns, recordEmergency, withOwnRules } from '../analysis/record-analysis.ts';
import type { CaseDetail } from '../desk/case-detail.schemas.ts';
import { showDetail } from '../desk/show-detail.ts';
import { isHolder } from '../access/visible-cases.ts';
import { dueAtLevel, rankOf } from '../queue/due-time.ts';
import { laneAfterChange } from '../queue/lane.ts';
import { applyTransition, type CaseRecord } from '../state/apply-transition.ts';
import { correctAnswers } from './correct-answers.ts';
import { correctTriage } from './correct-triage.ts';
import { type HandlingRules, readHandlingRules } from './handling-rules.ts';
import { lockForAction } from './lock-for-action.ts';
import type { RecordUpdate } from './record-update.schemas.ts';

/**
 * Corrects a case: its answers, whom it is about, how soon it is to be answered, where it waits. Its red flags are judged
 * anew by our own rules, and only grow.
 *
 * @param version that the client has read.
 * @throws {Problem} `case_not_found`, `version_conflict`, `case_state_conflict`, `lease_lost`, `capability_required`,
 *   `validation_error`, `patient_not_found`, `anamnesis_invalid`, `age_mismatch`, `payload_too_large`
 */
export async function updateRecord(
  context: Context,
  actor: AccountActor,
  uuid: string,
  input: RecordUpdate,
  version: number,
): Promise<CaseDetail> {
  const rules = await readHandlingRules(context, actor.tenantId);
  const { receivedAt: now, language } = context.request;
  const shown = await inTenant(context.db, actor.tenantId, async (tx) => {
    const asked = { action: 'update_record' } as const;
    const { staff, record } = await lockForAction(tx, { context, actor }, uuid, asked, version);
    const updated = await correct(tx, context, staff, record, { input, rules });
    await recordEmergency(tx, context.audit, record, updated);
    return await showDetail(tx, staff, updated, { language, now });
  });
  if (shown.urgency === 'emergency') context.outbox.kick();
  return shown;
}

async function correct(
  tx: Tx,
  context: Context,
  staff: Staff,
  record: CaseRecord,
  { input, rules }: { input: RecordUpdate; rules: HandlingRules },
): Promise<CaseRecord> {
  const { audit, request } = context;
  const now = request.receivedAt;
  const said = await correctAnswers(tx, context, staff, record, input);
  const flags = withOwnRules(record, said?.anamnesis ?? (await readAnamnesis(tx, record)));
  const level = correctTriage(staff, flags, input);
  const { language, pool, is_test, triage_reason: reason, version: _version, ...others } = input;
  return await applyTransition(tx, { audit, now }, record, {
    transition: 'update_record',
    by: isHolder(staff, record, now) ? 'physician' : 'staff',
    set: {
      ...(language !== undefined && { language }),
      ...(pool !== undefined && { pool }),
      ...(is_test !== undefined && { is_test }),
      ...(said !== undefined && { patient_id: said.patientId, anamnesis_revision: said.revision }),
      ...(reason !== undefined && { triage_override_reason: reason }),
      ...flagColumns({ ...flags, triageLevel: level }),
      ...(level !== null && { due_at: dueAtLevel(record, level, { now, sla: rules.sla }) }),
      ...laneAfterChange(record, { pool, language, rank: level === null ? null : rankOf(level) }),
    },
    detail: {
      changed: Object.keys({ language, pool, is_test, ...others }).filter(
        (name) => input[name as keyof RecordUpdate] !== undefined,
      ),
      revision: said?.revision ?? record.anamnesis_revision,
      // The event belongs to the patient whom the case is about from now on.
      patient_from: said === undefined || said.patientId === record.patient_id ? null : record.patient_id,
      triage_from: record.triage_level,
      triage_to: level,
      flags: flagCodes(flags.redFlags),
    },
  });
}
