import { logOutEverywhere } from '../../../src/functions/auth/log-out-everywhere.ts';
import { scenario } from '../scenario.ts';

export const logOutEverywhereScenario = scenario({
  endpoint: logOutEverywhere,
  as: 'newcomer',
  good: { all: { title: 'Ends every session of the account' } },
});
