import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { Timestamp } from '../../../contract/timestamp.ts';
import { PhysicianRef } from '../../cases/record/case-summary.schemas.ts';
import { RecommendedAction } from '../../intake/triage/triage.schemas.ts';
import { ContradictionCode } from './contradictions.ts';
import {
  DiagnosisStatement,
  FollowUp,
  Referral,
  Severity,
  Treatment,
} from './diagnosis-statement.schemas.ts';

export const AiAgreement = z
  .enum(['agree', 'partial', 'disagree', 'not_considered'])
  .meta({ id: 'AiAgreement', description: 'What the physician thinks of the predictions.' });

export const AnnotationStatus = z
  .enum(['draft', 'final', 'amended', 'cancelled'])
  .meta({ id: 'AnnotationStatus', description: '`amended`: a later answer has replaced it.' });

/** A physician's answer as staff read it; a draft may be incomplete. */
export const DermatologistAnnotation = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the answer.' }),
    case_uuid: z.uuid().meta({ description: 'The case that it answers.' }),
    kind: z.literal('dermatologist').meta({ description: 'The answer to the patient.' }),
    status: AnnotationStatus,
    version: z.int().meta({
      description: 'Incremented by each change, and from one answer of a case to the next; for `If-Match`.',
    }),
    author: PhysicianRef.nullable().meta({ description: 'Null once the account is erased.' }),
    language: Language,
    diagnoses: z.array(DiagnosisStatement).meta({ description: 'One to five once it is signed.' }),
    severity: Severity.nullable().meta({ description: 'Null where it was not stated.' }),
    recommended_action: RecommendedAction.nullable().meta({
      description: 'What to do; never null once signed.',
    }),
    recommendation_text: z.string().nullable().meta({ description: 'The action in words.' }),
    treatments: z.array(Treatment).meta({ description: 'Ten at most.' }),
    follow_up: FollowUp.nullable().meta({ description: 'The follow-up appointment; null for none.' }),
    referral: Referral.nullable().meta({ description: 'Referral to another provider, if any.' }),
    patient_message: z
      .string()
      .nullable()
      .meta({ description: 'Message from the physician to the patient.' }),
    internal_note: z.string().nullable().meta({ description: 'Never shown to the patient.' }),
    image_quality_ok: z.boolean().nullable().meta({ description: 'Whether the photos were good enough.' }),
    ai_agreement: AiAgreement.nullable().meta({ description: 'Null where it was not stated.' }),
    acknowledged_flags: z.array(z.string()).meta({ description: 'Red flags that the author has seen.' }),
    contradiction_reasons: z
      .array(
        z
          .object({
            code: ContradictionCode,
            reason: z.string().meta({ description: 'In the words of the author.' }),
          })
          .meta({
            id: 'StatedContradiction',
            description: 'Why the answer counts although it contradicts the danger.',
          }),
      )
      .meta({ description: 'Never shown to the patient. Once it is signed, exactly those that needed one.' }),
    urgency_explanation: z
      .string()
      .nullable()
      .meta({ description: 'To the patient: why it is less urgent than the advice before it.' }),
    template_id: z.int().nullable().meta({ description: 'The template of the text.' }),
    rendered_text: z
      .string()
      .nullable()
      .meta({ description: 'As the patient reads it; frozen when signed.' }),
    amends_uuid: z.uuid().nullable().meta({ description: 'The answer that it replaces.' }),
    amend_reason: z.string().nullable().meta({ description: 'Why it replaces that one.' }),
    seconds_spent: z.int().nullable().meta({ description: 'Seconds of work on it.' }),
    signed_at: Timestamp.nullable().meta({ description: 'When it was signed.' }),
    published_at: Timestamp.nullable().meta({ description: 'When it was published to the patient.' }),
    cancelled_at: Timestamp.nullable().meta({ description: 'When it was withdrawn.' }),
    cancel_reason: z.string().nullable().meta({ description: 'Why it was withdrawn.' }),
    created_at: Timestamp.meta({ description: 'When the draft was made.' }),
    updated_at: Timestamp.meta({ description: 'When it last changed.' }),
  })
  .meta({ id: 'DermatologistAnnotation', description: 'A physician’s answer as staff read it.' });
export type DermatologistAnnotation = z.input<typeof DermatologistAnnotation>;

export const AuditScores = z
  .strictObject({
    diagnosis: z.int().min(1).max(5).meta({ description: '1 poor to 5 excellent.' }),
    advice: z.int().min(1).max(5).meta({ description: '1 poor to 5 excellent.' }),
    wording: z.int().min(1).max(5).meta({ description: '1 poor to 5 excellent.' }),
    image: z.int().min(1).max(5).meta({ description: '1 poor to 5 excellent.' }),
  })
  .meta({ id: 'AuditScores', description: 'How good the answer is.' });

export const AuditAgreement = z
  .enum(['agree', 'minor', 'major'])
  .meta({ id: 'AuditAgreement', description: 'How far the auditor differs.' });

/** An auditor’s review of a signed answer. */
export const AuditAnnotation = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the audit.' }),
    case_uuid: z.uuid().meta({ description: 'The case.' }),
    kind: z.literal('audit').meta({ description: 'Never shown to the patient.' }),
    annotation_uuid: z.uuid().meta({ description: 'The answer that is audited.' }),
    status: z
      .enum(['draft', 'final', 'cancelled'])
      .meta({ id: 'AuditStatus', description: 'Whether the auditor has signed it.' }),
    version: z.int().meta({ description: 'Incremented by each change; for `If-Match`.' }),
    author: PhysicianRef.nullable().meta({ description: 'Null once the account is erased.' }),
    agreement: AuditAgreement.nullable().meta({ description: 'Never null once it is signed.' }),
    own_diagnosis: DiagnosisStatement.nullable().meta({ description: 'What the auditor would have stated.' }),
    scores: AuditScores.nullable().meta({ description: 'Null where none were given.' }),
    safety_issue: z.boolean().meta({ description: 'Whether the answer can harm the patient.' }),
    requires_correction: z.boolean().meta({ description: 'Whether its author must amend it.' }),
    comment: z.string().nullable().meta({ description: 'To the author of the answer.' }),
    signed_at: Timestamp.nullable().meta({ description: 'When it was signed.' }),
    cancelled_at: Timestamp.nullable().meta({ description: 'When it was withdrawn.' }),
    cancel_reason: z.string().nullable().meta({ description: 'Why it was withdrawn.' }),
    created_at: Timestamp.meta({ description: 'When the draft was made.' }),
    updated_at: Timestamp.meta({ description: 'When it last changed.' }),
  })
  .meta({ id: 'AuditAnnotation', description: 'An auditor’s review of a signed answer.' });
export type AuditAnnotation = z.input<typeof AuditAnnotation>;

export const Annotation = z
  .discriminatedUnion('kind', [DermatologistAnnotation, AuditAnnotation])
  .meta({ id: 'Annotation', description: 'An answer to a case, or an audit of one.' });
export type Annotation = z.input<typeof Annotation>;
