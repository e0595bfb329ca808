import { z } from 'zod';
import { Timestamp } from '../../../contract/timestamp.ts';
import { TriageLevel } from '../../intake/triage/triage.schemas.ts';

const count = (description: string) => z.int().min(0).meta({ description });

const Lane = z
  .object({
    pool: z.string().meta({ description: 'Name of the pool, or `general`.' }),
    language: z.string().meta({ description: 'Language of the lane, or `any`.' }),
    waiting: count('Queued cases.'),
    overdue: count('Those whose due time has passed.'),
  })
  .meta({ id: 'LaneCounts', description: 'The queued cases of one lane.' });

const levels = Object.fromEntries(
  TriageLevel.options.map((level) => [level, count(`Queued cases of the triage level \`${level}\`.`)]),
) as Record<TriageLevel, z.ZodInt>;

const AiState = z.enum(['ok', 'degraded', 'down', 'unknown']).meta({
  id: 'AiState',
  description: '`down`: every call failed; `degraded`: more than a tenth; `unknown`: no call.',
});

export const AnalyticsCounts = z
  .object({
    at: Timestamp.meta({ description: 'When it was counted.' }),
    queue: z
      .object({
        by_triage: z
          .object(levels)
          .meta({ id: 'TriageCounts', description: 'Queued cases by triage level.' }),
        by_lane: z
          .array(Lane)
          .meta({ description: 'The lanes with queued cases, the longest first, at most 100.' }),
        overdue: count('Queued cases whose due time has passed.'),
        oldest_due_at: z.iso
          .datetime()
          .nullable()
          .meta({ description: 'The earliest due time of a queued case; null without one.' }),
      })
      .meta({ id: 'QueuedCounts', description: 'Cases that wait for a physician.' }),
    in_review: count('Cases in review.'),
    on_hold: count('Cases on hold.'),
    answered_last_hour: count('Cases answered within the last hour.'),
    median_minutes_to_answer_24h: z
      .int()
      .nullable()
      .meta({ description: 'From submission to answer, of the last 24 hours; null without an answer.' }),
    physicians_active: count('Physicians active within the last 15 minutes.'),
    ai: z
      .object({
        state: AiState,
        p95_ms: z
          .int()
          .nullable()
          .meta({ description: '95th percentile of the latency, in milliseconds; null without a call.' }),
      })
      .meta({ id: 'AiCounts', description: 'The calls of the AI service within the last 15 minutes.' }),
  })
  .meta({
    id: 'AnalyticsCounts',
    description: 'Counts and times of all cases of a tenant together, cases of tests excepted.',
  });
/** As the app has it, with `at` as a date. */
export type AnalyticsCounts = z.input<typeof AnalyticsCounts>;
