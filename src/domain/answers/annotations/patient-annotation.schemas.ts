import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { Timestamp } from '../../../contract/timestamp.ts';
import {
  DiagnosisStatement,
  FollowUp,
  Referral,
  Severity,
  Treatment,
} from './diagnosis-statement.schemas.ts';
import { RecommendedAction } from '../../intake/triage/triage.schemas.ts';

/** A physician's answer as its patient reads it: without internal notes and without a judgement on the AI service. */
export const PatientAnnotation = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the answer.' }),
    case_uuid: z.uuid().meta({ description: 'The case that it answers.' }),
    status: z.enum(['final', 'amended']).meta({
      id: 'PublishedStatus',
      description: '`amended`: a later answer has replaced it.',
    }),
    version: z.int().meta({ description: 'Incremented by each change.' }),
    author: z
      .object({ display_name: z.string().meta({ description: 'The physician.' }) })
      .meta({ id: 'AnnotationAuthor', description: 'The author of the answer.' }),
    language: Language,
    diagnoses: z.array(DiagnosisStatement).meta({ description: 'One to five.' }),
    severity: Severity.nullable().meta({ description: 'Null where it was not stated.' }),
    recommended_action: RecommendedAction,
    recommendation_text: z.string().nullable().meta({ description: 'The action in words.' }),
    treatments: z.array(Treatment).meta({ description: 'Ten at most.' }),
    follow_up: FollowUp.nullable().meta({ description: 'The follow-up appointment; null for none.' }),
    referral: Referral.nullable().meta({ description: 'Referral to another provider, if any.' }),
    patient_message: z
      .string()
      .nullable()
      .meta({ description: 'Message from the physician to the patient.' }),
    urgency_explanation: z.string().nullable().meta({
      description: 'Why it is less urgent than the advice before it, in the words of the physician.',
    }),
    image_quality_ok: z.boolean().meta({ description: 'Whether the photos were good enough.' }),
    rendered_text: z.string().meta({ description: 'The whole answer, as it was published.' }),
    amends_uuid: z.uuid().nullable().meta({ description: 'The answer that it replaces.' }),
    signed_at: Timestamp.meta({ description: 'When it was signed.' }),
    published_at: Timestamp.meta({ description: 'When it was published to the patient.' }),
  })
  .meta({ id: 'PatientAnnotation', description: 'A physician’s answer as its patient reads it.' });

export const PatientAnnotations = z
  .object({
    case_uuid: z.uuid().meta({ description: 'The case.' }),
    annotations: z.array(PatientAnnotation).meta({
      description: 'Published ones only, the newest first; none once the one that is `final` was withdrawn.',
    }),
  })
  .meta({ id: 'PatientAnnotations', description: 'The published answers to a case.' });
export type PatientAnnotations = z.input<typeof PatientAnnotations>;
