import { v1BackofficeGetAnalytics } from '../../../../src/functions/v1/backoffice/get-analytics.ts';
import { scenario } from '../../scenario.ts';
import { get, plain } from '../../access/rows.ts';

export const getAnalyticsScenario = scenario({
  endpoint: v1BackofficeGetAnalytics,
  as: 'admin',
  good: {
    counts: {
      title: 'The counts as of now',
      // What other scenarios have left in the queue differs from run to run.
      shown: (reply: object) => ({
        ...reply,
        queue: {
          by_triage: { emergency: 0, urgent_24h: 1, soon_2_weeks: 3, routine: 8, self_care: 0 },
          by_lane: [{ pool: 'general', language: 'en', waiting: 12, overdue: 1 }],
          overdue: 1,
          oldest_due_at: '2026-01-15T08:30:00.000Z',
        },
        in_review: 2,
        on_hold: 1,
        answered_last_hour: 4,
        median_minutes_to_answer_24h: 35,
        physicians_active: 3,
        ai: { state: 'ok', p95_ms: 900 },
      }),
    },
  },
  refusals: {
    physician: {
      title: 'A physician in no group that may',
      code: 'capability_required',
      as: 'physician',
      state: [
        `DELETE FROM user_group_members WHERE group_id IN (
           SELECT id FROM user_groups WHERE settings -> 'capabilities' ? 'analytics.read')`,
      ],
    },
  },
  access: {
    counts: {
      ...plain(() => get('analytics')),
      cells: '401 403 capability 200 capability capability capability 200 capability 200',
    },
  },
});
