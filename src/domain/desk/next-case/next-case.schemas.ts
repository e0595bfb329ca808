import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { Timestamp } from '../../../contract/timestamp.ts';
import { CaseDetail } from '../cases/case-detail.schemas.ts';
import { CaseSummary } from '../../cases/record/case-summary.schemas.ts';
import { ReleaseReason } from '../../cases/record/release-reason.ts';

export const NextCaseRequest = z
  .strictObject({
    queue: z.enum(['review', 'audit']).default('review').meta({
      id: 'QueueName',
      description: '`review`: cases to be answered. `audit`: answers that an auditor is to read.',
    }),
    languages: z
      .array(Language)
      .min(1)
      .max(Language.options.length)
      .optional()
      .meta({ description: 'Only cases in these languages, of those that the caller is offered.' }),
    current: z.enum(['keep', 'release']).default('keep').meta({
      id: 'CurrentCase',
      description:
        '`release`: puts the case that was taken last back, with its batch, before another is taken.',
    }),
    release_reason: ReleaseReason.optional().meta({ description: '`other` where absent.' }),
  })
  .meta({ id: 'NextCaseRequest', description: 'Which case to take; all of it may be absent.' });
export type NextCaseRequest = z.output<typeof NextCaseRequest>;

export const NextCase = z
  .object({
    case: CaseDetail.nullable().meta({ description: 'Null when there is none for the caller.' }),
    resumed: z
      .boolean()
      .meta({ description: 'Whether the caller had it in hand already, and may have no further one.' }),
    batch: z
      .array(CaseSummary)
      .meta({ description: 'The others of its batch that are in the caller’s hand, at most ten.' }),
    lease: z
      .object({ expires_at: Timestamp.meta({ description: 'Work on the case puts it off.' }) })
      .nullable()
      .meta({ id: 'Lease', description: 'Until when the case is the caller’s; null for an audit.' }),
    queue: z
      .object({
        waiting: z
          .int()
          .meta({ description: 'Cases that the caller is offered; of each lane at most 500 are counted.' }),
        waiting_urgent: z
          .int()
          .meta({ description: 'Of those, emergencies and what is to be answered within a day.' }),
        oldest_due_at: Timestamp.nullable().meta({ description: 'The earliest due time among them.' }),
      })
      .meta({ id: 'QueueCounts', description: 'What waits besides.' }),
    retry_after_seconds: z
      .int()
      .meta({ description: 'When to ask again where there was no case; otherwise 0.' }),
  })
  .meta({ id: 'NextCase', description: 'The case that a physician is to work on next.' });
/** As the app has it, with times as dates. */
export type NextCase = z.input<typeof NextCase>;
