import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { Timestamp } from '../../../contract/timestamp.ts';
import {
  DiagnosisStatement,
  FollowUp,
  Referral,
  Severity,
  Treatment,
} from '../../answers/annotations/diagnosis-statement.schemas.ts';
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
    version: z.int().meta({ description: 'Grows with each change.' }),
    author: z
      .object({ display_name: z.string().meta({ description: 'The physician.' }) })
      .meta({ id: 'AnnotationAuthor', description: 'Who has answered.' }),
    language: Language,
    diagnoses: z.array(DiagnosisStatement).meta({ description: 'One to five.' }),
    severity: Severity.nullable().meta({ description: 'Null where it was not stated.' }),
    recommended_action: RecommendedAction,
    recommendation_text: z.string().nullable().meta({ description: 'The action in words.' }),
    treatments: z.array(Treatment).meta({ description: 'Ten at most.' }),
    follow_up: FollowUp.nullable().meta({ description: 'When to be seen again; null for never.' }),
    referral: Referral.nullable().meta({ description: 'To whom else to go, if anyone.' }),
    patient_message: z.string().nullable().meta({ description: 'Of the physician to the patient.' }),
    image_quality_ok: z.boolean().meta({ description: 'Whether the photos were good enough.' }),
    rendered_text: z.string().meta({ description: 'The whole answer, as it was published.' }),
    amends_uuid: z.uuid().nullable().meta({ description: 'The answer that it replaces.' }),
    signed_at: Timestamp.meta({ description: 'When it was signed.' }),
    published_at: Timestamp.meta({ description: 'Since when the patient can read it.' }),
  })
  .meta({ id: 'PatientAnnotation', description: 'A physician’s answer as its patient reads it.' });

export const PatientAnnotations = z
  .object({
    case_uuid: z.uuid().meta({ description: 'The case.' }),
    annotations: z.array(PatientAnnotation).meta({ description: 'Published ones only, the newest first.' }),
  })
  .meta({ id: 'PatientAnnotations', description: 'What physicians have answered to a case.' });
export type PatientAnnotations = z.input<typeof PatientAnnotations>;
