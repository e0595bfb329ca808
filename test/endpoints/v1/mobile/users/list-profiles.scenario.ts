import { v1MobileListProfiles } from '../../../../../src/functions/v1/mobile/users/list-profiles.ts';
import { scenario } from '../../../scenario.ts';

export const listProfilesScenario = scenario({
  endpoint: v1MobileListProfiles,
  as: 'newcomer',
  good: {
    self: { title: 'An account without children' },
    family: { title: 'With a child', after: { child: 'v1MobileAddOffspring' } },
  },
});
