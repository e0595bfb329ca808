import { v1MobileListParameters } from '../../../../../src/functions/v1/mobile/config/list-parameters.ts';
import { scenario } from '../../../scenario.ts';

export const listParametersScenario = scenario({
  endpoint: v1MobileListParameters,
  as: 'newcomer',
  good: {
    consent: { title: 'The consent that counts', params: { branch: 'legal', sub_branch: 'consent' } },
    anonymous: {
      title: 'Before anyone logs in',
      as: 'anonymous',
      params: { branch: 'portal', sub_branch: 'features' },
    },
    unchanged: {
      title: 'Unchanged since it was read',
      after: {
        first: { operation: 'v1MobileListParameters', params: { branch: 'mobile', sub_branch: 'app' } },
      },
      params: { branch: 'mobile', sub_branch: 'app' },
      headers: { 'if-none-match': '{{first.response.headers.etag}}' },
      status: 304,
    },
  },
  refusals: {
    internal: {
      title: 'Parameters that are not public',
      code: 'parameters_not_found',
      params: { branch: 'eligibility', sub_branch: 'rules' },
    },
  },
  never: { rate_limited: 'is counted in the memory of an instance: test/functions/v1/configuration.test.ts' },
});
