import { z } from 'zod';
import { PageQuery } from '../../../lib/paging/page.ts';
import { TriageLevel } from '../../intake/triage/triage.schemas.ts';
import { wholeNumber } from '../../../lib/schema/whole-number.ts';

export const ListedDisease = z
  .object({
    id: z.int().meta({ description: 'Identifies the entry of this list.' }),
    disease_id: z.int().nullable().meta({ description: 'In the own catalogue; null where none fits.' }),
    code: z.string().meta({ description: 'In this list; of the own catalogue what the AI service names.' }),
    name: z.string().meta({ description: 'In the language of the request, else in English.' }),
    machine_drafted: z.boolean().meta({ description: 'Whether no native reader has checked the name.' }),
    icd10: z.string().nullable().meta({ description: 'Null where none is known.' }),
    icd11: z.string().nullable().meta({ description: 'Null where none was verified.' }),
    category: z.string().nullable().meta({ description: 'Such as `infection`.' }),
    urgency: TriageLevel.nullable().meta({ description: 'How soon it is usually to be seen.' }),
    parent_code: z.string().nullable().meta({ description: 'The entry that it is a kind of.' }),
    active: z.boolean().meta({ description: 'False: named by old answers only.' }),
  })
  .meta({ id: 'ListedDisease', description: 'A disease of a list.' });
export type ListedDisease = z.infer<typeof ListedDisease>;

export const DiseaseList = z
  .object({
    vendor: z.string().meta({ description: 'As in the path.' }),
    version: z.int().meta({ description: 'Grows with each change of the list.' }),
    items: z.array(ListedDisease).meta({ description: 'In the order of their ids.' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'For the query parameter `cursor`; null on the last page.' }),
  })
  .meta({ id: 'DiseaseList', description: 'A page of a list of diseases.' });
export type DiseaseList = z.infer<typeof DiseaseList>;

export const DiseaseQuery = PageQuery.extend({
  q: z
    .string()
    .min(1)
    .max(80)
    .optional()
    .meta({
      description: 'Words, each the beginning of a word of a name, in any language, or of a code.',
      examples: ['eczema'],
    }),
  updated_since: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: 'Only those that changed since.' }),
  limit: wholeNumber(z.int().min(1).max(500)).default(100).meta({ description: 'Maximum number of items.' }),
});
