import { v1MobileGetPushKey } from '../../../../../src/functions/v1/mobile/config/get-push-key.ts';
import { scenario } from '../../../scenario.ts';

export const getPushKeyScenario = scenario({
  endpoint: v1MobileGetPushKey,
  as: 'anonymous',
  good: { key: { title: 'Where browsers get no messages' } },
  never: {
    rate_limited: 'is counted in the memory of an instance: test/functions/v1/configuration.test.ts',
    unavailable: 'it needs no database',
    internal_error: 'it needs no database',
  },
});
