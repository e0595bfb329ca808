import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { Timestamp } from '../../../contract/timestamp.ts';
import { PredictionConfidence } from '../../intake/diagnoses/diagnosis.schemas.ts';
import { RedFlagUrgency } from '../../intake/red-flags/red-flags.schemas.ts';
import { RecommendedAction, TriageLevel } from '../../intake/triage/triage.schemas.ts';
import { Person } from '../../identity/patients/person.ts';
import { AnalysisState, CaseStatus, PendingStatus } from './case-status.ts';

export const PhysicianRef = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the physician.' }),
    display_name: z.string().meta({ description: 'The name, else a number.' }),
  })
  .meta({ id: 'PhysicianRef', description: 'A physician.' });
export type PhysicianRef = z.infer<typeof PhysicianRef>;

export const EligibilityOutcome = z.enum(['eligible', 'needs_patient', 'ineligible', 'undetermined']).meta({
  id: 'EligibilityOutcome',
  description: 'Whether the clinic takes a case.',
});

export const AuditState = z
  .enum(['none', 'pending', 'done'])
  .meta({ id: 'AuditState', description: '`pending`: an auditor is to read the answer.' });

export const CaseSummary = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the case.' }),
    id: z.int().meta({ description: 'A short number, for use on the phone.' }),
    version: z.int().meta({ description: 'Incremented by each change; also the `ETag`.' }),
    status: CaseStatus,
    pending_status: PendingStatus.nullable().meta({ description: 'Null unless it is on hold.' }),
    status_reason: z.string().nullable().meta({ description: 'Why it stands there, as a code.' }),
    triage_level: TriageLevel.nullable().meta({ description: 'Null before it was judged.' }),
    urgency: RedFlagUrgency.nullable().meta({ description: 'Of the most urgent red flag.' }),
    has_red_flags: z.boolean().meta({ description: 'Whether there is any.' }),
    red_flags: z.array(z.string()).meta({ description: 'Their codes.' }),
    language: Language,
    pool: z.string().meta({ description: 'The pool of the patient, or `general`.' }),
    batch_uuid: z.uuid().nullable().meta({ description: 'The batch that it belongs to, if any.' }),
    patient: Person.meta({ description: 'In lists of the queue without a name.' }),
    submitted_at: Timestamp.nullable().meta({ description: 'Null for a draft.' }),
    due_at: Timestamp.nullable().meta({ description: 'Until when it is to be answered.' }),
    overdue: z.boolean().meta({ description: 'Whether it waits although it was due.' }),
    assigned_physician: PhysicianRef.nullable().meta({ description: 'Who has it, or had it last.' }),
    lease_expires_at: Timestamp.nullable().meta({
      description: 'Until when it is in that physician’s hand.',
    }),
    analysis_state: AnalysisState,
    top_prediction: z
      .object({
        disease: z.string().meta({ description: 'Its code.' }),
        name: z.string().nullable().meta({ description: 'In the language of the request.' }),
        probability: z.number().meta({ description: '0 impossible to 1 certain.' }),
        confidence: PredictionConfidence,
      })
      .nullable()
      .meta({ id: 'TopPrediction', description: 'What the AI service thinks most probable.' }),
    diagnosis: z
      .object({
        disease_id: z.int().nullable().meta({ description: 'In the catalogue.' }),
        code: z.string().nullable().meta({ description: 'The code in the system that was used.' }),
        name: z.string().meta({ description: 'As the physician has written it.' }),
        recommended_action: RecommendedAction.nullable().meta({ description: 'What the patient is to do.' }),
        contradiction_reasons: z.array(z.object({ code: z.string(), reason: z.string() })).meta({
          description: 'Why it counts although it contradicts the danger of the case; none as a rule.',
        }),
      })
      .nullable()
      .meta({ id: 'PrimaryDiagnosis', description: 'The primary diagnosis of the signed answer.' }),
    image_count: z.int().meta({ description: 'Photos of the case.' }),
    thumbnail_path: z
      .string()
      .nullable()
      .meta({ description: 'Of the first photo, below `/api/v1/backoffice/images/`.' }),
    eligibility_outcome: EligibilityOutcome.nullable().meta({ description: 'Null before it was judged.' }),
    audit_state: AuditState,
    notified: z.boolean().meta({ description: 'Whether a message to the patient was sent.' }),
    created_at: Timestamp.meta({ description: 'When the draft was made.' }),
    updated_at: Timestamp.meta({ description: 'When it last changed.' }),
  })
  .meta({ id: 'CaseSummary', description: 'A case as staff see it in lists.' });
/** As the app has it, with times as dates. */
export type CaseSummary = z.input<typeof CaseSummary>;
