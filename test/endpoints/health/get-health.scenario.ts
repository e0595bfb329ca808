import { getHealth } from '../../../src/functions/health/get-health.ts';
import { scenario } from '../scenario.ts';

export const getHealthScenario = scenario({
  endpoint: getHealth,
  as: 'anonymous',
  good: {
    healthy: { title: 'The database answers' },
    unhealthy: { title: 'The database does not answer', status: 503, on: 'withoutDatabase' },
  },
  never: {
    internal_error: 'Every failure of the database is an answer here, and nothing else is asked.',
    unavailable: 'Without a database it answers 503 in its own shape.',
  },
});
