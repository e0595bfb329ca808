import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { Direction } from '../../platform/texts/direction.ts';
import { DiagnosisStatement } from '../annotations/diagnosis-statement.schemas.ts';

export const DiagnosesToFormat = z
  .strictObject({
    case_uuid: z.uuid().optional().meta({ description: 'Fills the placeholders of patient and case.' }),
    diagnoses: z
      .array(DiagnosisStatement)
      .min(1)
      .max(5)
      .meta({ description: 'One to five, one of them primary.' }),
    template_id: z.int().min(1).optional().meta({ description: 'A template of kind `diagnosis_text`.' }),
    lang: Language,
    tone: z.enum(['patient', 'clinical']).default('patient').meta({
      id: 'TextTone',
      description: 'The audience, if no template is given.',
    }),
  })
  .refine(({ diagnoses }) => diagnoses.filter(({ is_primary: isPrimary }) => isPrimary).length === 1, {
    error: 'Exactly one diagnosis must be primary.',
    path: ['diagnoses'],
  })
  .meta({ id: 'DiagnosesToFormat', description: 'Diagnoses, and how to put them into words.' });
export type DiagnosesToFormat = z.output<typeof DiagnosesToFormat>;

export const FormattedDiagnoses = z
  .object({
    text: z.string().meta({ description: 'Plain text; blank lines part paragraphs, items begin with `- `.' }),
    blocks: z
      .array(
        z
          .object({
            kind: z
              .enum(['paragraph', 'list_item'])
              .meta({ id: 'TextBlockKind', description: 'What it is.' }),
            text: z.string().meta({ description: 'Without `- `.' }),
          })
          .meta({ id: 'TextBlock', description: 'A part of the text.' }),
      )
      .meta({ description: 'The same text in parts.' }),
    direction: Direction,
    missing: z
      .array(z.string())
      .meta({ description: 'Placeholders of the template that have no value here.' }),
  })
  .meta({ id: 'FormattedDiagnoses', description: 'Diagnoses as a text.' });
export type FormattedDiagnoses = z.infer<typeof FormattedDiagnoses>;
