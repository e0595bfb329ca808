import { v1MobileChangeNotificationSettings } from '../../../../../src/functions/v1/mobile/users/change-notification-settings.ts';
import { scenario } from '../../../scenario.ts';

export const changeNotificationSettingsScenario = scenario({
  endpoint: v1MobileChangeNotificationSettings,
  as: 'newcomer',
  good: {
    push: { title: 'On my phone only', json: { channels: ['push'] } },
    none: { title: 'Not at all', json: { channels: [] } },
  },
  mistakes: {
    channel: {
      title: 'A channel that does not exist',
      code: 'validation_error',
      pointers: ['/channels/0'],
      json: { channels: ['sms'] },
    },
  },
  unauditedRefusal: 'only a body that is not understood is refused',
});
