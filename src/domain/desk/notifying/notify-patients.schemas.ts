import { z } from 'zod';
import { Channel } from '../../../contract/channel.ts';
import { bulkResult } from '../../cases/record/bulk-result.schemas.ts';

export const NotifyChannels = z
  .array(Channel)
  .min(1)
  .max(Channel.options.length)
  .optional()
  .meta({ description: 'Channels of the notification; by default all.' });

export const NotifyPatients = z
  .strictObject({
    case_uuids: z
      .array(z.uuid())
      .min(1)
      .max(100)
      .meta({ description: 'At most 100; each succeeds or fails alone.' }),
    channels: NotifyChannels,
  })
  .meta({ id: 'NotifyPatients', description: 'Cases whose patients to notify.' });
export type NotifyPatients = z.output<typeof NotifyPatients>;

export const notifyCodes = [
  'case_not_found',
  'nothing_to_publish',
  'no_channel',
  'notified_recently',
] as const;
export type NotifyCode = (typeof notifyCodes)[number];

export const NotifyPatientsResult = bulkResult(notifyCodes, {
  id: 'NotifyPatientsResult',
  description: 'What became of each case.',
});
