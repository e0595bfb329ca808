import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { Channel } from '../../../../contract/channel.ts';
import { NotifyChannels } from '../../../../domain/answers/notifying/notify-patients.schemas.ts';
import { notifyPatient } from '../../../../domain/answers/notifying/notify-patient.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

const Notified = z
  .object({ queued: z.array(Channel).min(1).meta({ description: 'By which messages are on their way.' }) })
  .meta({ id: 'NotifiedPatient', description: 'How the patient is told.' });

export const v1BackofficeNotifyPatient = endpoint({
  name: 'v1BackofficeNotifyPatient',
  method: 'POST',
  route: 'api/v1/backoffice/annotations/{uuid}/notify',
  tag: 'Backoffice',
  summary: 'Tell the patient again that there is an answer',
  description:
    'Three times in 24 hours at most; the message that leaves by itself when an answer is published does not count. It says ' +
    'only that there is news. Reaches the patient by those of `channels`, or of all, that the clinic uses and the patient ' +
    'wants.',
  auth: 'physician-level',
  audit: auditEvents.caseNotified,
  params: z.object({ uuid: z.uuid().meta({ description: 'The case.' }) }),
  missing: 'case_not_found',
  body: z
    .strictObject({
      channels: NotifyChannels,
    })
    .meta({ id: 'NotifyPatient', description: 'How to tell the patient.' }),
  reply: { status: 202, description: 'Messages are on their way.', body: Notified },
  problems: ['nothing_to_publish', 'no_channel', 'notified_recently'],
  async handler({ params: { uuid }, body, context, actor }) {
    return await notifyPatient(context, actor, uuid, body);
  },
});
