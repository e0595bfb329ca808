import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseRules } from '../record/case-rules.ts';
import { enqueueNews } from '../../announce/news/enqueue-news.ts';
import type { flagColumns } from './record-analysis.ts';
import { nextReminder } from '../record/next-reminder.ts';
import { insertRequestToPatient } from '../record/message.queries.ts';
import { readPatient } from '../../identity/patients/patient.queries.ts';
import { dueOnHold } from '../record/due-time.ts';
import { enterQueue } from './enter-queue.ts';
import { applyTransition, type CaseRecord } from '../record/apply-transition.ts';
import { codesOf, type Eligibility, requestsToPatient } from '../record/evaluate-eligibility.ts';

export interface MoveWork {
  audit: AuditContext;
  now: Date;
  rules: CaseRules;
}

/** The columns that say how a case was judged. */
export const judgementColumns = ({ outcome, reasons }: Eligibility, now: Date) => ({
  eligibility_outcome: outcome,
  eligibility_reasons: reasons,
  eligibility_checked_at: now,
});

/**
 * Moves a case by its judgement: into the queue (T05), back to the patient (T06) or out (T07). One without a result stays.
 * @param stored the case, locked.
 * @param found flags that the judgement follows from and that are to be stored with it: where the case stands now, an emergency
 *   may not be.
 */
export async function moveJudged(
  tx: Tx,
  { audit, now, rules }: MoveWork,
  stored: CaseRecord,
  judged: Eligibility,
  found: Partial<ReturnType<typeof flagColumns>> = {},
): Promise<CaseRecord> {
  const { outcome, reasons } = judged;
  const record = { ...stored, ...found };
  const set = { ...found, ...judgementColumns(judged, now) };
  const asked = requestsToPatient(reasons);
  switch (outcome) {
    case 'eligible': {
      const { pool } = await readPatient(tx, record.patient_id);
      const queued = await enterQueue(tx, { audit, now, sla: rules.sla }, record, {
        pool,
        set,
        reasons: codesOf(reasons),
      });
      // Nothing holds an urgent case back; what is missing is asked for while it waits.
      if (asked.length > 0) {
        await insertRequestToPatient(tx, record, asked, now);
        await enqueueNews(tx, queued, 'patient_asked', now);
      }
      return queued;
    }
    case 'needs_patient': {
      const held = await applyTransition(tx, { audit, now }, record, {
        transition: 'ask_patient',
        set: {
          ...set,
          due_at: dueOnHold(record, record.triage_level ?? 'routine', {
            now,
            sla: rules.sla,
          }),
          held_at: now,
          remind_at: nextReminder(now, rules.reminderDays, now),
          status_reason: asked[0] ?? null,
        },
        detail: { reasons: codesOf(reasons) },
      });
      await insertRequestToPatient(tx, record, asked, now);
      return held;
    }
    case 'ineligible':
      return await applyTransition(tx, { audit, now }, record, {
        transition: 'refuse',
        // It was queued by mistake: it counts towards no quota, and its patient is asked again where that helps.
        set: { ...set, held_at: null, remind_at: null, queued_at: null },
        detail: { reasons: codesOf(reasons) },
      });
    case 'undetermined':
      await tx.updateTable('request_records').set(set).where('uuid', '=', record.uuid).execute();
      return { ...record, ...set };
  }
}
