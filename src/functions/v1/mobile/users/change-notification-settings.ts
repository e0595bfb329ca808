import {
  NotificationChoice,
  NotificationSettings,
} from '../../../../domain/identity/notification-settings/notification-settings.schemas.ts';
import { chooseChannels } from '../../../../domain/identity/notification-settings/choose-channels.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1MobileChangeNotificationSettings = endpoint({
  name: 'v1MobileChangeNotificationSettings',
  method: 'PATCH',
  route: 'api/v1/mobile/users/notifications',
  tag: 'Notifications',
  summary: 'Set the notification channels of the account',
  description:
    'Regardless of this setting, the notification that urgent red flags were found after submission is sent over ' +
    'every channel of the clinic.',
  auth: 'any',
  audit: { category: 'auth', success: 'notifications_changed', refusal: 'notifications_changed' },
  body: NotificationChoice,
  reply: { status: 200, description: 'What is chosen now.', body: NotificationSettings },
  problems: [],
  async handler({ context, actor, body }) {
    return await chooseChannels(context, actor, body);
  },
});
