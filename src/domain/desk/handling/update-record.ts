import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { announceDanger, recordEmergency } from '../../cases/record/announce-danger.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { type CaseRules, readCaseRules } from '../../cases/record/case-rules.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import { isHolder } from '../../cases/record/visible-cases.ts';
import { readAnamnesis } from '../../cases/record/analysis.queries.ts';
import { flagCodes, flagColumns, isMoreDangerous, withOwnRules } from '../../cases/record/case-flags.ts';
import { membershipIn } from '../../cases/record/evaluate-eligibility.ts';
import { judgeEligibility } from '../../cases/admission/judge-case.ts';
import { moveJudged } from '../../cases/admission/move-judged.ts';
import { dueAtLevel, rankOf } from '../../cases/record/due-time.ts';
import { laneAfterChange } from '../../cases/record/lane.ts';
import { resumeCase } from '../../cases/queue/return-to-queue.ts';
import { applyTransition } from '../../cases/record/apply-transition.ts';
import type { CaseDetail } from '../cases/case-detail.schemas.ts';
import { showDetail } from '../cases/show-detail.ts';
import { correctAnswers } from './correct-answers.ts';
import { correctTriage } from './correct-triage.ts';
import { type HandlingRules, readHandlingRules } from './handling-rules.ts';
import { lockForAction } from './lock-for-action.ts';
import type { RecordUpdate } from './record-update.schemas.ts';

/**
 * Corrects a case: its answers, whom it is about, how soon it is to be answered, where it waits. Its red flags are judged
 * anew by our own rules, and only grow. A case for which an urgent flag is found waits in the queue from then on, unless it is
 * in hand; its patient hears of it.
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
  const rules = {
    handling: await readHandlingRules(context, actor.tenantId),
    cases: await readCaseRules(context, actor.tenantId),
  };
  const { receivedAt: now, language } = context.request;
  const shown = await inTenant(context.db, actor.tenantId, async (tx) => {
    const asked = { action: 'update_record' } as const;
    const { staff, record } = await lockForAction(tx, { context, actor }, uuid, asked, version);
    const updated = await correctRecord(tx, context, staff, record, { input, rules });
    await recordEmergency(tx, context.audit, record, updated);
    await announceDanger(tx, { now, isPatientWaiting: false }, record, updated);
    return await showDetail(tx, staff, updated, { language, now });
  });
  context.outbox.kick();
  return shown;
}

/**
 * Writes a correction, with the flags that our own rules find in it.
 * @param record locked, of a version that the client has read.
 */
async function correctRecord(
  tx: Tx,
  context: Context,
  staff: Staff,
  record: CaseRecord,
  {
    input,
    rules: { handling, cases },
  }: { input: RecordUpdate; rules: { handling: HandlingRules; cases: CaseRules } },
): Promise<CaseRecord> {
  const { audit, request } = context;
  const now = request.receivedAt;
  const said = await correctAnswers(tx, context, staff, record, input);
  const flags = withOwnRules(record, said?.anamnesis ?? (await readAnamnesis(tx, record)));
  const level = correctTriage(staff, flags, input);
  const { language, pool, is_test, triage_reason: reason, version: _version, ...others } = input;
  const dangers = flagColumns({ ...flags, triageLevel: level });
  const isWorse = isMoreDangerous(flags, record);
  const by = isHolder(staff, record, now) ? 'physician' : 'staff';
  // An analysis that is under way ends in a judgement, for which these flags count.
  const isAnalysed = record.analysis_state !== 'pending';
  // Where no physician would see it: refused, or waiting for what the service has asked of the patient.
  const isUnseen =
    isAnalysed && record.queued_at === null && ['ineligible', 'on_hold'].includes(record.status);
  const corrected = await applyTransition(tx, { audit, now }, record, {
    transition: 'update_record',
    by,
    set: {
      ...(language !== undefined && { language }),
      ...(pool !== undefined && { pool }),
      ...(is_test !== undefined && { is_test }),
      ...(said !== undefined && { patient_id: said.patientId, anamnesis_revision: said.revision }),
      ...(reason !== undefined && { triage_override_reason: reason }),
      ...(!(isWorse && isUnseen) && dangers),
      ...(level !== null && { due_at: dueAtLevel(record, level, { now, sla: handling.sla }) }),
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
  if (!isWorse || !isAnalysed) return corrected;
  if (isUnseen) return await judgeAgain(tx, context, corrected, { dangers, rules: cases });
  if (record.status !== 'on_hold') return corrected;
  // An admin has found it, not the physician who put the case on hold: that one, or another, is to see it now.
  const forAnyone = { by: 'staff', isForAnyone: true, detail: { reason: 'flags_found' } } as const;
  return await resumeCase(tx, { audit, now, ...handling }, corrected, forAnyone);
}

/**
 * An urgent flag overrides every reason against the queue but a missing consent, so no service is asked about a membership:
 * what is known of it stays on record.
 */
async function judgeAgain(
  tx: Tx,
  { audit, config, request }: Context,
  corrected: CaseRecord,
  { dangers, rules }: { dangers: ReturnType<typeof flagColumns>; rules: CaseRules },
): Promise<CaseRecord> {
  const now = request.receivedAt;
  const known = { membership: membershipIn(corrected.eligibility_reasons), latencyMs: 0 };
  const judging = { config, requestId: request.id, rules, now };
  const judged = await judgeEligibility(tx, judging, { ...corrected, ...dangers }, known);
  return await moveJudged(tx, { audit, now, rules }, corrected, judged, dangers);
}
