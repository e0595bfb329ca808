import { z } from 'zod';
import { requestMail } from '../../../domain/delivery/requests/request-mail.ts';
import { RequestedMail } from '../../../domain/delivery/requests/requested-mail.schemas.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';

const Queued = z
  .object({ queued: z.literal(true).meta({ description: 'The mail leaves within seconds.' }) })
  .meta({ id: 'QueuedMail', description: 'A mail that is on its way.' });

export const v1MobileSendEmail = endpoint({
  name: 'v1MobileSendEmail',
  method: 'POST',
  route: 'api/v1/mobile/send-email',
  tag: 'Notifications',
  summary: 'Send a mail to the clinic’s support, or a link to an answer to the caller',
  description:
    'The template determines the recipient: `support_request` is sent to the support address of the clinic ' +
    '(parameter `mobile/app`, key `support_email`) with the caller’s address for replies; `case_answer_link` is sent ' +
    'to the caller and contains only the link. The caller’s address must be verified.',
  auth: 'any',
  audit: { category: 'access', success: 'mail_requested', refusal: 'mail_requested' },
  quota: 'mails',
  reads: ['lang'],
  body: RequestedMail,
  reply: { status: 202, description: 'The mail is queued.', body: Queued },
  problems: ['email_unverified', 'case_not_found', 'nothing_to_publish', 'no_channel'],
  async handler({ context, actor, body }) {
    return await requestMail(context, actor, body);
  },
});
