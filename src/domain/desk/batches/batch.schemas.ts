import { z } from 'zod';
import { Timestamp } from '../../../contract/timestamp.ts';
import { CaseSummary } from '../../cases/record/case-summary.schemas.ts';
import { offeredToStaff } from '../../cases/record/staff-actions.ts';
import { CaseStatus } from '../../cases/record/case-status.ts';

/** The cases of a bulk request. */
export const CaseUuids = z.array(z.uuid()).min(1).max(100).meta({ description: 'At most 100 cases.' });

export const Blocking = z
  .enum([
    'analysis_pending',
    'eligibility_pending',
    'awaiting_patient',
    'awaiting_second_opinion',
    'awaiting_result',
    'technical',
    'taken',
    'other_lane',
    'physician_away',
    'physician_profile_required',
    'lease_limit',
    'claiming_disabled',
    'draft',
    'ineligible',
    'cancelled',
    'expired',
  ])
  .meta({
    id: 'Blocking',
    description:
      'Why the caller cannot answer a case. `taken`: another physician holds it. `other_lane`: it waits for other ' +
      'physicians. A pending status: it is on hold. A status: it has ended, or has not begun.',
  });
export type Blocking = z.infer<typeof Blocking>;

const BatchCounts = z
  .object({
    size: z.int().meta({ description: 'Cases that were submitted.' }),
    open: z.int().meta({ description: 'Those that still are to be answered.' }),
    answered: z.int().meta({ description: 'Those that are signed or closed.' }),
  })
  .meta({ id: 'BatchCounts', description: 'How a batch stands.' });
export type BatchCounts = z.infer<typeof BatchCounts>;

const CheckedCase = z
  .object({
    case_uuid: z.uuid().meta({ description: 'As it was asked for.' }),
    found: z.boolean().meta({ description: 'Whether it exists and the caller may see it.' }),
    status: CaseStatus.nullable().meta({ description: 'Null where it was not found.' }),
    version: z.int().nullable().meta({ description: 'For `If-Match`; null where it was not found.' }),
    batch_uuid: z.uuid().nullable().meta({ description: 'The batch that it belongs to, if any.' }),
    batch: BatchCounts.nullable().meta({ description: 'How that batch stands.' }),
    allowed_actions: z.array(z.string()).meta({
      description: `What the caller may do now, of ${offeredToStaff.map((name) => `\`${name}\``).join(', ')}.`,
    }),
    blocking: z.array(Blocking).meta({ description: 'Empty where it can be answered, or is.' }),
  })
  .meta({ id: 'CheckedCase', description: 'What can be done with a case.' });
export type CheckedCase = z.infer<typeof CheckedCase>;

export const CheckedCases = z
  .object({ results: z.array(CheckedCase).meta({ description: 'In the order of the request.' }) })
  .meta({ id: 'CheckedCases', description: 'What can be done with cases.' });

export const CaseBatch = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the batch.' }),
    kind: z.enum(['patient_session', 'import']).meta({
      id: 'BatchKind',
      description: '`patient_session`: sent by one account, and answered together.',
    }),
    expected_size: z.int().meta({ description: 'How many cases it is to have.' }),
    complete: z.boolean().meta({ description: 'Whether as many were submitted.' }),
    created_at: Timestamp.meta({ description: 'When the first was made.' }),
    cases: z
      .array(CaseSummary)
      .meta({ description: 'That the caller may see, the oldest first; at most `limit`.' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'For the query parameter `cursor`; null on the last page.' }),
  })
  .meta({ id: 'CaseBatch', description: 'Cases that belong together.' });
export type CaseBatch = z.input<typeof CaseBatch>;
