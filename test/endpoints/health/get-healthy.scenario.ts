import { getHealthy } from '../../../src/functions/health/get-healthy.ts';
import { scenario } from '../scenario.ts';

export const getHealthyScenario = scenario({
  endpoint: getHealthy,
  as: 'anonymous',
  good: { healthy: { title: 'The process answers' } },
  never: {
    internal_error: 'It runs no code that can fail.',
    unavailable: 'It asks no database.',
  },
});
