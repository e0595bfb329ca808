import { z } from 'zod';

export const CodeSystem = z
  .string()
  .regex(/^(?:dermagate|icd10|vendor:[a-z0-9_-]{2,32})$/)
  .meta({ description: '`dermagate`, `icd10` or `vendor:<name>`.' });

export const DiagnosisCertainty = z
  .enum(['confirmed', 'probable', 'possible', 'excluded'])
  .meta({ id: 'DiagnosisCertainty', description: 'How sure the physician is.' });

export const DiagnosisStatement = z
  .strictObject({
    disease_id: z.int().nullable().meta({ description: 'In the catalogue; null for free text.' }),
    code: z.string().trim().max(64).meta({ description: 'The code in `code_system`.' }),
    code_system: CodeSystem,
    text: z.string().trim().min(1).max(200).meta({ description: 'As the physician has written it.' }),
    certainty: DiagnosisCertainty,
    is_primary: z.boolean().meta({ description: 'Exactly one is.' }),
  })
  .meta({ id: 'DiagnosisStatement', description: 'A diagnosis that a physician has stated.' });
export type DiagnosisStatement = z.infer<typeof DiagnosisStatement>;

export const Treatment = z
  .strictObject({
    name: z.string().trim().min(1).max(200).meta({ description: 'What to use.' }),
    route: z.string().trim().max(100).nullable().meta({ description: 'Such as on the skin.' }),
    dosage_text: z.string().trim().max(500).nullable().meta({ description: 'How much, how often.' }),
    duration_text: z.string().trim().max(200).nullable().meta({ description: 'For how long.' }),
  })
  .meta({ id: 'Treatment', description: 'A treatment that a physician advises.' });
export type Treatment = z.infer<typeof Treatment>;

export const FollowUp = z
  .strictObject({
    in_days: z.int().min(0).max(3650).meta({ description: 'Days from the answer.' }),
    how: z.string().trim().max(200).nullable().meta({ description: 'Such as in person.' }),
  })
  .meta({ id: 'FollowUp', description: 'When to be seen again.' });

export const Referral = z
  .strictObject({
    type: z.string().trim().min(1).max(100).meta({ description: 'Specialty or provider.' }),
    urgency: z.string().trim().max(64).nullable().meta({ description: 'How soon.' }),
    text: z.string().trim().max(2000).nullable().meta({ description: 'What for.' }),
  })
  .meta({ id: 'Referral', description: 'Referral to another provider.' });

export const Severity = z
  .enum(['none', 'mild', 'moderate', 'severe'])
  .meta({ id: 'Severity', description: 'How severe it is.' });
