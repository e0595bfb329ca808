import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { Moment } from '../../../contract/timestamp.ts';
import { PrivatePool } from '../../identity/groups/private-pool.ts';
import { RedFlagUrgency } from '../../intake/red-flags/red-flags.schemas.ts';
import { TriageLevel } from '../../intake/triage/triage.schemas.ts';
import { AuditState, EligibilityOutcome } from '../../cases/record/case-summary.schemas.ts';
import { ExternalId } from '../../identity/patients/profile.schemas.ts';
import { generalPool } from '../../cases/record/lane.ts';
import { CaseStatus, PendingStatus } from '../../cases/record/case-status.ts';

const anyOf = <Option extends z.ZodType>(option: Option, description: string) =>
  z.array(option).min(1).max(50).optional().meta({ description });

const between = (what: string) =>
  z
    .strictObject({
      from: Moment.optional().meta({ description: 'This moment or later.' }),
      to: Moment.optional().meta({ description: 'Earlier than this moment.' }),
    })
    .optional()
    .meta({ description: what });

export const SearchScope = z.enum(['mine', 'queue', 'patient', 'tenant']).meta({
  id: 'SearchScope',
  description:
    '`mine`: cases that are assigned to the caller, also once they are answered, and the caller’s drafts. `queue`: cases ' +
    'that wait in the caller’s lanes, for admins in all; without names. `patient`: cases of the patients that the filters ' +
    'name. `tenant`: every submitted case, for admins. Always within what the caller may see.',
});

export const SearchSort = z
  .enum(['created_at:desc', 'created_at:asc', 'due_at:asc', 'updated_at:desc', 'submitted_at:asc'])
  .meta({
    id: 'SearchSort',
    description: 'Cases without that time come last; of the same time, they go by their number.',
  });
export type SearchSort = z.infer<typeof SearchSort>;

/** What cases may be searched by; all that are given must fit. */
export const CaseFilters = z.strictObject({
  status: anyOf(CaseStatus, 'One of these.'),
  pending_status: anyOf(PendingStatus, 'On hold, and waiting for one of these.'),
  created: between('When the draft was made.'),
  submitted: between('When it was submitted.'),
  due: between('Until when it is to be answered.'),
  updated: between('When it last changed.'),
  patient_name: z
    .string()
    .min(2)
    .max(40)
    .optional()
    .meta({
      description:
        'Beginnings of words of the name, in any order and script, without regard to case and accents.',
      examples: ['levi no'],
    }),
  patient_uuid: z.uuid().optional().meta({ description: 'Of this patient.' }),
  external_id: ExternalId.optional(),
  case_id: z.int().min(1).optional().meta({ description: 'A short number, for use on the phone.' }),
  batch_uuid: z.uuid().optional().meta({ description: 'Of this batch.' }),
  assigned_physician_uuid: z
    .union([z.uuid(), z.literal('me'), z.literal('none')])
    .optional()
    .meta({ description: 'Who has it or had it last; `me` is the caller.' }),
  disease_id: anyOf(z.int().min(1), 'Primary diagnosis of the signed answer, from the catalogue.'),
  triage_level: anyOf(TriageLevel, 'One of these.'),
  urgency: anyOf(RedFlagUrgency, 'Of the most urgent red flag.'),
  has_red_flags: z.boolean().optional().meta({ description: 'Whether there is any.' }),
  pool: anyOf(z.union([z.literal(generalPool), PrivatePool]), 'The pool of the patient, or `general`.'),
  language: anyOf(Language, 'Of the answers.'),
  eligibility_outcome: anyOf(EligibilityOutcome, 'One of these.'),
  audit_state: anyOf(AuditState, 'One of these.'),
  notified: z.boolean().optional().meta({ description: 'Whether a message to the patient was sent.' }),
  overdue: z.boolean().optional().meta({ description: 'Whether it waits although it was due.' }),
  is_test: z.boolean().default(false).meta({ description: 'Test cases, or all others.' }),
});
export type CaseFilters = z.infer<typeof CaseFilters>;

/** Whether the filters name patients. */
export const namesPatients = (filters: Pick<CaseFilters, 'patient_uuid' | 'external_id' | 'patient_name'>) =>
  [filters.patient_uuid, filters.external_id, filters.patient_name].some((each) => each !== undefined);

export const CaseSearch = CaseFilters.extend({
  scope: SearchScope.optional().meta({
    description: 'Everything that the caller may see where absent; `patient` where a filter names patients.',
  }),
  sort: SearchSort.default('created_at:desc'),
  limit: z.int().min(1).max(100).default(25).meta({ description: 'At most so many cases.' }),
  cursor: z.string().min(1).max(1024).optional().meta({
    description: '`next_cursor` of the page before, with the same scope, filters and order.',
  }),
  count: z
    .enum(['none', 'capped'])
    .default('none')
    .meta({ id: 'SearchCount', description: '`capped`: all pages together are counted, up to 10,000.' }),
})
  .refine(({ scope, ...filters }) => scope !== 'patient' || namesPatients(filters), {
    path: ['scope'],
    error: 'Needs patient_uuid, external_id or patient_name.',
  })
  .refine(
    ({ scope, patient_name: name, external_id: id }) => scope !== 'queue' || (name ?? id) === undefined,
    {
      path: ['scope'],
      error: 'The queue has no names: it takes neither patient_name nor external_id.',
    },
  )
  .meta({ id: 'CaseSearch', description: 'Which cases to list, and in which order.' });
export type CaseSearch = z.infer<typeof CaseSearch>;
