import { z } from 'zod';
import { DermatologistAnnotation } from '../../answers/annotations/annotation.schemas.ts';
import { CaseSummary } from '../../cases/record/case-summary.schemas.ts';
import { Person } from '../../identity/patients/person.ts';

export const HistoryReason = z.enum(['treatment', 'audit', 'support']).meta({
  id: 'HistoryReason',
  description: 'Why a reader who does not treat the patient reads the history; recorded in the event log.',
});
export type HistoryReason = z.infer<typeof HistoryReason>;

export const HistoryItem = CaseSummary.extend({
  final_annotation: DermatologistAnnotation.nullable().meta({
    description: 'The current signed answer; null if there is none.',
  }),
}).meta({ id: 'HistoryItem', description: 'A case of a patient with its answer.' });

export const PatientHistory = z
  .object({
    patient: Person,
    profiles: z.array(Person).meta({
      description: 'Other profiles of the same account that the caller treats or has treated.',
    }),
    items: z.array(HistoryItem).meta({ description: 'Submitted cases, the newest first.' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'For the query parameter `cursor`; null on the last page.' }),
  })
  .meta({ id: 'PatientHistory', description: 'The cases of a patient, with their answers.' });
/** As the app has it, with times as dates. */
export type PatientHistory = z.input<typeof PatientHistory>;
