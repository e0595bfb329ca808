import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { Channel } from '../../../../contract/channel.ts';
import { NotifyChannels } from '../../../../domain/desk/notifying/notify-patients.schemas.ts';
import { notifyPatient } from '../../../../domain/desk/notifying/notify-patient.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

const Notified = z
  .object({ queued: z.array(Channel).min(1).meta({ description: 'By which messages are on their way.' }) })
  .meta({ id: 'NotifiedPatient', description: 'The channels that the notification was sent over.' });

export const v1BackofficeNotifyPatient = endpoint({
  name: 'v1BackofficeNotifyPatient',
  method: 'POST',
  route: 'api/v1/backoffice/annotations/{uuid}/notify',
  tag: 'Backoffice',
  summary: 'Notify the patient of a published answer again',
  description:
    'At most three times in 24 hours; the automatic notification on publication does not count. The message contains ' +
    'no content of the answer. It is sent over those of the given `channels` that the clinic supports and the ' +
    'patient has enabled; by default over all of them.',
  auth: 'physician-level',
  audit: auditEvents.caseNotified,
  params: z.object({ uuid: z.uuid().meta({ description: 'The case.' }) }),
  missing: 'case_not_found',
  body: z
    .strictObject({
      channels: NotifyChannels,
    })
    .meta({ id: 'NotifyPatient', description: 'The channels of the notification.' }),
  reply: { status: 202, description: 'Messages are on their way.', body: Notified },
  problems: ['nothing_to_publish', 'no_channel', 'notified_recently'],
  async handler({ params: { uuid }, body, context, actor }) {
    return await notifyPatient(context, actor, uuid, body);
  },
});
