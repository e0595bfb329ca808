import { z } from 'zod';
import { RecordVersion } from '../../../contract/record-version.ts';
import { Language } from '../../../contract/language.ts';
import { Timestamp } from '../../../contract/timestamp.ts';
import { PageQuery, pageOf } from '../../../lib/paging/page.ts';
import { wholeNumber } from '../../../lib/schema/whole-number.ts';
import { shortText } from '../../../lib/schema/short-text.ts';
import { PhysicianRef } from '../../cases/record/case-summary.schemas.ts';

export const TemplateKind = z.enum(['diagnosis_text', 'case_pdf', 'patient_mail', 'message']).meta({
  id: 'TemplateKind',
  description: 'What the text is for; answers use `diagnosis_text`.',
});
export type TemplateKind = z.infer<typeof TemplateKind>;

export const TemplateScope = z.enum(['tenant', 'physician']).meta({
  id: 'TemplateScope',
  description: 'Whose it is: of the clinic, or of one physician.',
});
export type TemplateScope = z.infer<typeof TemplateScope>;

const Body = z
  .string()
  .min(1)
  .max(20_000)
  .refine((body) => !/[^\P{Cc}\t\n\r]/u.test(body), { error: 'Must not contain control characters.' });

const bodyFields = {
  en: Body.optional().meta({ description: 'In English.' }),
  he: Body.optional().meta({ description: 'In Hebrew.' }),
  ar: Body.optional().meta({ description: 'In Arabic.' }),
  es: Body.optional().meta({ description: 'In Spanish.' }),
} satisfies Record<Language, z.ZodType>;

const described = {
  id: 'TemplateBodies',
  description:
    'By language, in the notation of Liquid: the tags `if`, `unless`, `case`, `for`, `comment` and `raw`; the filters ' +
    '`date`, `list`, `number`, `default`, `plus`, `minus`, `times`, `divided_by` and `round`. A calculation with a missing value has no value. The text becomes paragraphs, ' +
    'parted by blank lines, and items of lists, which begin with `- `.',
};

export const TemplateBodies = z
  .strictObject(bodyFields)
  .refine((bodies) => Object.values(bodies).some((body) => body !== undefined), {
    error: 'At least one language is required.',
  })
  .meta(described);
export type TemplateBodies = z.infer<typeof TemplateBodies>;

const Name = shortText(120).meta({ description: 'Unique for its kind and owner.' });
const DiseaseId = z
  .int()
  .min(1)
  .nullable()
  .meta({ description: 'The disease that it is for; null for any.' });
const IsDefault = z.boolean().meta({
  description: 'Whether it is proposed first; of the owner’s others of this kind and disease none is.',
});

export const NewTemplate = z
  .strictObject({
    kind: TemplateKind,
    scope: TemplateScope,
    name: Name,
    disease_id: DiseaseId.optional(),
    bodies: TemplateBodies,
    is_default: IsDefault.optional(),
  })
  .meta({ id: 'NewTemplate', description: 'A text with placeholders.' });
export type NewTemplate = z.infer<typeof NewTemplate>;

export const TemplateChange = z
  .strictObject({
    kind: TemplateKind.optional(),
    scope: TemplateScope.optional(),
    name: Name.optional(),
    disease_id: DiseaseId.optional(),
    bodies: TemplateBodies.optional(),
    is_default: IsDefault.optional(),
    version: RecordVersion.optional().meta({ description: 'Of the template; or send `If-Match`.' }),
  })
  .meta({
    id: 'TemplateChange',
    description: 'What is absent stays as it is; `bodies` are replaced together.',
  });
export type TemplateChange = Omit<z.infer<typeof TemplateChange>, 'version'>;

export const Template = z
  .object({
    id: z.int().meta({ description: 'Identifies the template.' }),
    uuid: z.uuid().meta({ description: 'Identifies it in the event log.' }),
    kind: TemplateKind,
    scope: TemplateScope,
    name: z.string().meta({ description: 'Unique for its kind and owner.' }),
    disease_id: z.int().nullable().meta({ description: 'The disease that it is for; null for any.' }),
    bodies: z.object(bodyFields).meta({ id: 'StoredTemplateBodies', description: 'By language.' }),
    placeholders: z.array(z.string()).meta({ description: 'Those that any of the bodies names.' }),
    version: z.int().meta({ description: 'Incremented by each change; also the `ETag`.' }),
    is_default: z.boolean().meta({ description: 'Whether it is proposed first.' }),
    owner: PhysicianRef.nullable().meta({ description: 'Null for one of the clinic.' }),
    updated_at: Timestamp.meta({ description: 'When it last changed.' }),
  })
  .meta({ id: 'Template', description: 'A text with placeholders.' });
/** As the app has it, with times as dates. */
export type Template = z.input<typeof Template>;

export const TemplatePage = pageOf(Template, { id: 'TemplatePage', description: 'A page of templates.' });

export const TemplateId = wholeNumber(
  z
    .int()
    .min(1)
    .meta({ description: 'A template.', examples: [1] }),
);

/** Bytes of a request with all four bodies. */
export const templateBodyLimit = 128 * 1024;

/** Which templates of those that the caller may see. */
export const TemplateFilter = PageQuery.extend({
  kind: TemplateKind.optional(),
  lang: Language.optional().meta({ description: 'Only those with a body in this language.' }),
});
