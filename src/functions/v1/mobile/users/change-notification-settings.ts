import {
  NotificationChoice,
  NotificationSettings,
} from '../../../../domain/notices/settings/notification-settings.schemas.ts';
import { chooseChannels } from '../../../../domain/notices/settings/choose-channels.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1MobileChangeNotificationSettings = endpoint({
  name: 'v1MobileChangeNotificationSettings',
  method: 'PATCH',
  route: 'api/v1/mobile/users/notifications',
  tag: 'Notifications',
  summary: 'Choose the channels by which I am told of my cases',
  description:
    'A message that urgent warning signs were found after a case was sent comes by every channel of the clinic, whatever ' +
    'is chosen here.',
  auth: 'any',
  audit: { category: 'auth', success: 'notifications_changed', refusal: 'notifications_changed' },
  body: NotificationChoice,
  reply: { status: 200, description: 'What is chosen now.', body: NotificationSettings },
  problems: [],
  async handler({ context, actor, body }) {
    return await chooseChannels(context, actor, body);
  },
});
