import { z } from 'zod';
import { DermatologistAnnotation } from '../../answers/annotations/annotation.schemas.ts';
import { CaseSummary } from '../desk/case-summary.schemas.ts';
import { Person } from '../patients/person.ts';

export const HistoryReason = z.enum(['treatment', 'audit', 'support']).meta({
  id: 'HistoryReason',
  description: 'Why a history is read by someone who does not treat the patient. The event log keeps it.',
});
export type HistoryReason = z.infer<typeof HistoryReason>;

export const HistoryItem = CaseSummary.extend({
  final_annotation: DermatologistAnnotation.nullable().meta({
    description: 'The signed answer that counts; null where there is none.',
  }),
}).meta({ id: 'HistoryItem', description: 'A case of a patient with its answer.' });

export const PatientHistory = z
  .object({
    patient: Person,
    profiles: z.array(Person).meta({
      description: 'Other people of the same account whom the caller treats or has treated.',
    }),
    items: z.array(HistoryItem).meta({ description: 'Submitted cases, the newest first.' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'For the query parameter `cursor`; null on the last page.' }),
  })
  .meta({ id: 'PatientHistory', description: 'What a clinic knows of the cases of a patient.' });
/** As the app has it, with times as dates. */
export type PatientHistory = z.input<typeof PatientHistory>;
