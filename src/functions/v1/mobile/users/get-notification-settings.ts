import { NotificationSettings } from '../../../../domain/notices/settings/notification-settings.schemas.ts';
import { readNotificationSettings } from '../../../../domain/notices/settings/notification-settings.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1MobileGetNotificationSettings = endpoint({
  name: 'v1MobileGetNotificationSettings',
  method: 'GET',
  route: 'api/v1/mobile/users/notifications',
  tag: 'Notifications',
  summary: 'Get the channels by which I am told of my cases',
  description:
    'Messages say that there is news and lead to the case; they name neither an illness nor what a physician wrote. ' +
    'Physicians choose in their settings how they are told of cases that are assigned to them.',
  auth: 'any',
  audit: 'none',
  reply: { status: 200, description: 'What I have chosen, and what there is.', body: NotificationSettings },
  problems: [],
  async handler({ context, actor }) {
    return await readNotificationSettings(context, actor);
  },
});
