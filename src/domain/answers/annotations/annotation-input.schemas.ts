import { z } from 'zod';
import { RecordVersion } from '../../../contract/record-version.ts';
import { Language } from '../../../contract/language.ts';
import { plainText } from '../../../lib/schema/plain-text.ts';
import { RecommendedAction } from '../../intake/triage/triage.schemas.ts';
import { AiAgreement, AuditAgreement, AuditScores } from './annotation.schemas.ts';
import { ContradictionCode } from './contradictions.ts';
import { CodeSystem, DiagnosisCertainty, Severity } from './diagnosis-statement.schemas.ts';

/** JSON bodies that carry an annotation. */
export const annotationBodyLimit = 64 * 1024;

/** Longer codes of an AI service cannot be acknowledged, and are not asked for. */
export const longestFlag = 200;

/** Of a case with more urgent flags, so many must be acknowledged. */
export const mostFlags = 200;

/** What is empty or absent is null. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullable()
    .default(null)
    .transform((value) => (value === '' ? null : value));
const line = (max: number, description: string) =>
  plainText(max, { min: 1 }).meta({ description: `${description} At most ${max} characters.` });
const optionalLine = (max: number, description: string) =>
  optional(plainText(max)).meta({ description: `${description} At most ${max} characters.` });
const optionalText = (max: number, description: string) =>
  optional(plainText(max, { lines: true })).meta({
    description: `${description} At most ${max} characters.`,
  });

const DiagnosisInput = z
  .strictObject({
    disease_id: optional(z.int()).meta({ description: 'In the catalogue; null for free text.' }),
    code: plainText(64).meta({ description: 'The code in `code_system`.' }),
    code_system: CodeSystem,
    text: line(200, 'In words.'),
    certainty: DiagnosisCertainty,
    is_primary: z.boolean().meta({ description: 'Exactly one is, once it is signed.' }),
  })
  .meta({ id: 'DiagnosisInput', description: 'A diagnosis that a physician states.' });

const TreatmentInput = z
  .strictObject({
    name: line(200, 'What to use.'),
    route: optionalLine(100, 'Such as on the skin.'),
    dosage_text: optionalText(500, 'How much, how often.'),
    duration_text: optionalLine(200, 'For how long.'),
  })
  .meta({ id: 'TreatmentInput', description: 'A treatment that a physician advises.' });

const FollowUpInput = z
  .strictObject({
    in_days: z.int().min(0).max(3650).meta({ description: 'Days from the answer.' }),
    how: optionalLine(200, 'Such as in person.'),
  })
  .meta({ id: 'FollowUpInput', description: 'When to be seen again.' });

const ReferralInput = z
  .strictObject({
    type: line(100, 'Specialty or provider.'),
    urgency: optionalLine(64, 'How soon.'),
    text: optionalText(2000, 'What for.'),
  })
  .meta({ id: 'ReferralInput', description: 'Referral to another provider.' });

/** All that an answer can need fit into one event of the audit trail, whatever their letters. */
const longestReason = 400;

const ContradictionReason = z
  .strictObject({
    code: ContradictionCode,
    reason: line(longestReason, 'Why it is right all the same; for staff.'),
  })
  .meta({
    id: 'ContradictionReason',
    description: 'Why an answer counts although it contradicts the danger.',
  });

const Sign = z.boolean().default(false).meta({ description: 'Sign it; refused where it is incomplete.' });
const CaseVersion = RecordVersion.optional().meta({
  description: 'Of the case, as the author has read it: nothing is stored where it has changed since.',
});
const Version = RecordVersion.optional().meta({ description: 'Of the annotation; or send `If-Match`.' });

const answerFields = {
  kind: z.literal('dermatologist').meta({ description: 'The answer to the patient.' }),
  language: Language.optional().meta({ description: 'Of its texts; of the case where absent.' }),
  diagnoses: z
    .array(DiagnosisInput)
    .max(5)
    .default([])
    .meta({ description: 'One to five once it is signed.' }),
  severity: optional(Severity).meta({ description: 'How severe it is.' }),
  recommended_action: optional(RecommendedAction).meta({ description: 'What to do; needed for signing.' }),
  recommendation_text: optionalText(4000, 'The action in words.'),
  treatments: z.array(TreatmentInput).max(10).default([]).meta({ description: 'Ten at most.' }),
  follow_up: optional(FollowUpInput).meta({ description: 'The follow-up appointment; null for none.' }),
  referral: optional(ReferralInput).meta({ description: 'Referral to another provider, if any.' }),
  patient_message: optionalText(4000, 'To the patient.'),
  internal_note: optionalText(4000, 'Never shown to the patient.'),
  image_quality_ok: optional(z.boolean()).meta({
    description: 'Whether the photos were good enough; needed for signing.',
  }),
  ai_agreement: optional(AiAgreement).meta({ description: 'What the author thinks of the predictions.' }),
  acknowledged_flags: z
    .array(z.string().min(1).max(longestFlag))
    .max(mostFlags)
    .default([])
    .meta({ description: 'Red flags that the author has seen; all urgent ones for signing.' }),
  contradiction_reasons: z.array(ContradictionReason).max(ContradictionCode.options.length).default([]).meta({
    description:
      'One for each contradiction that `answer_contradicts_urgency` names. Recorded in the audit trail; the answer is audited.',
  }),
  confirm_emergency: z.boolean().default(false).meta({
    description: 'That the answer is right although the case is an emergency; for this signature only.',
  }),
  urgency_explanation: optionalText(
    500,
    'To the patient: why the answer is less urgent than the advice before it.',
  ),
  template_id: optional(z.int().min(1)).meta({ description: 'The template of the text.' }),
  seconds_spent: optional(z.int().min(0).max(86_400)).meta({ description: 'Seconds of work on it.' }),
  case_version: CaseVersion,
  sign: Sign,
};

const auditFields = {
  kind: z.literal('audit').meta({ description: 'A review of the published answer, for its author.' }),
  agreement: optional(AuditAgreement).meta({
    description: 'How far the auditor differs; needed for signing.',
  }),
  own_diagnosis: optional(DiagnosisInput).meta({ description: 'What the auditor would have stated.' }),
  scores: optional(AuditScores).meta({ description: 'Null where none are given.' }),
  safety_issue: z.boolean().default(false).meta({ description: 'Whether the answer can harm the patient.' }),
  requires_correction: z.boolean().default(false).meta({ description: 'Whether its author must amend it.' }),
  comment: optionalText(4000, 'To the author of the answer.'),
  case_version: CaseVersion,
  sign: Sign,
};

const AnswerCreation = z
  .strictObject(answerFields)
  .meta({ id: 'AnswerCreation', description: 'An answer to a case, or a draft of one.' });
const AuditCreation = z
  .strictObject(auditFields)
  .meta({ id: 'AuditCreation', description: 'An audit of a published answer, or a draft of one.' });

export const AnnotationCreation = z
  .discriminatedUnion('kind', [AnswerCreation, AuditCreation])
  .meta({ id: 'AnnotationCreation', description: 'A new annotation.' });
export type AnnotationCreation = z.output<typeof AnnotationCreation>;

const AnswerChange = z
  .strictObject({
    ...answerFields,
    amend_reason: optionalText(500, 'Why a signed answer is replaced; with `sign`.'),
    version: Version,
  })
  .meta({ id: 'AnswerChange', description: 'The whole answer as it is to be.' });
const AuditChange = z
  .strictObject({ ...auditFields, version: Version })
  .meta({ id: 'AuditChange', description: 'The whole audit as it is to be.' });

export const AnnotationChange = z
  .discriminatedUnion('kind', [AnswerChange, AuditChange])
  .meta({ id: 'AnnotationChange', description: 'The whole annotation: what is absent is empty.' });
export type AnnotationChange = z.output<typeof AnnotationChange>;

/** What an answer says. */
export type AnswerInput = Omit<z.output<typeof AnswerCreation>, 'kind' | 'sign' | 'case_version'>;
/** What an audit says. */
export type AuditInput = Omit<z.output<typeof AuditCreation>, 'kind' | 'sign' | 'case_version'>;

export const AnnotationKind = z
  .enum(['dermatologist', 'audit'])
  .meta({ id: 'AnnotationKind', description: '`dermatologist`: the answer. `audit`: a review of it.' });

export const AnnotationCancellation = z
  .strictObject({
    kind: AnnotationKind.default('dermatologist'),
    reason: plainText(500, { min: 1, lines: true }).meta({ description: 'Why. At most 500 characters.' }),
    version: Version,
  })
  .meta({ id: 'AnnotationCancellation', description: 'Which annotation to take back, and why.' });
export type AnnotationCancellation = z.output<typeof AnnotationCancellation>;
