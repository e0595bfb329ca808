import { z } from 'zod';
import { Channel } from '../../../contract/channel.ts';

export const NotificationSettings = z
  .object({
    channels: z.array(Channel).meta({ description: 'Those that the caller wants messages by.' }),
    available: z.array(Channel).meta({ description: 'Those that the clinic uses: a message needs both.' }),
  })
  .meta({ id: 'NotificationSettings', description: 'The notification channels of an account.' });

export const NotificationChoice = z
  .strictObject({
    channels: z
      .array(Channel)
      .max(Channel.options.length)
      .meta({ description: 'By which messages are wanted; empty for none.' }),
  })
  .meta({ id: 'NotificationChoice', description: 'Notification channels to enable or disable.' });
