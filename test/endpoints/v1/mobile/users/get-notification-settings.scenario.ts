import { v1MobileGetNotificationSettings } from '../../../../../src/functions/v1/mobile/users/get-notification-settings.ts';
import { scenario } from '../../../scenario.ts';

export const getNotificationSettingsScenario = scenario({
  endpoint: v1MobileGetNotificationSettings,
  as: 'newcomer',
  good: { settings: { title: 'Nothing chosen yet: by all channels' } },
});
