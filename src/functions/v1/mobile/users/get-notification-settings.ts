import { NotificationSettings } from '../../../../domain/identity/notification-settings/notification-settings.schemas.ts';
import { readNotificationSettings } from '../../../../domain/identity/notification-settings/notification-settings.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1MobileGetNotificationSettings = endpoint({
  name: 'v1MobileGetNotificationSettings',
  method: 'GET',
  route: 'api/v1/mobile/users/notifications',
  tag: 'Notifications',
  summary: 'Get the notification channels of the account',
  description:
    'A notification announces news and links to the case; it contains neither a diagnosis nor text by a physician. ' +
    'Physicians set the channels for assigned cases in their physician settings.',
  auth: 'any',
  audit: 'none',
  reply: { status: 200, description: 'What I have chosen, and what there is.', body: NotificationSettings },
  problems: [],
  async handler({ context, actor }) {
    return await readNotificationSettings(context, actor);
  },
});
