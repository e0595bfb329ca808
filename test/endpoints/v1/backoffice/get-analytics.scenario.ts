import { v1BackofficeGetAnalytics } from '../../../../src/functions/v1/backoffice/get-analytics.ts';
import { scenario } from '../../scenario.ts';

export const getAnalyticsScenario = scenario({
  endpoint: v1BackofficeGetAnalytics,
  as: 'admin',
  good: { counts: { title: 'The counts as of now' } },
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
});
