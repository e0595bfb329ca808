import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { Timestamp } from '../../../contract/timestamp.ts';
import { RecommendedAction } from '../../intake/triage/triage.schemas.ts';

const DiagnosisStatement = z
  .object({
    disease_id: z.int().nullable().meta({ description: 'In the catalogue; null for free text.' }),
    code: z.string().meta({ description: 'The code in `code_system`.' }),
    code_system: z
      .string()
      .regex(/^(?:dermagate|icd10|vendor:[a-z0-9_-]{2,32})$/)
      .meta({ description: '`dermagate`, `icd10` or `vendor:<name>`.' }),
    text: z.string().meta({ description: 'As the physician has written it.' }),
    certainty: z
      .enum(['confirmed', 'probable', 'possible', 'excluded'])
      .meta({ id: 'DiagnosisCertainty', description: 'How sure the physician is.' }),
    is_primary: z.boolean().meta({ description: 'Exactly one is.' }),
  })
  .meta({ id: 'DiagnosisStatement', description: 'A diagnosis that a physician has stated.' });

const Treatment = z
  .object({
    name: z.string().meta({ description: 'What to use.' }),
    route: z.string().nullable().meta({ description: 'Such as on the skin.' }),
    dosage_text: z.string().nullable().meta({ description: 'How much, how often.' }),
    duration_text: z.string().nullable().meta({ description: 'For how long.' }),
  })
  .meta({ id: 'Treatment', description: 'A treatment that a physician advises.' });

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
    severity: z
      .enum(['none', 'mild', 'moderate', 'severe'])
      .nullable()
      .meta({ id: 'Severity', description: 'How severe it is.' }),
    recommended_action: RecommendedAction,
    recommendation_text: z.string().nullable().meta({ description: 'The action in words.' }),
    treatments: z.array(Treatment).meta({ description: 'Ten at most.' }),
    follow_up: z
      .object({
        in_days: z.int().meta({ description: 'Days from the answer.' }),
        how: z.string().nullable().meta({ description: 'Such as in person.' }),
      })
      .nullable()
      .meta({ description: 'When to be seen again.' }),
    referral: z
      .object({
        type: z.string().meta({ description: 'To whom.' }),
        urgency: z.string().nullable().meta({ description: 'How soon.' }),
        text: z.string().nullable().meta({ description: 'What for.' }),
      })
      .nullable()
      .meta({ description: 'To whom else to go.' }),
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
