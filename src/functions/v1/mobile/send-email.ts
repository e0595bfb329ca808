import { z } from 'zod';
import { requestMail } from '../../../domain/notices/requests/request-mail.ts';
import { RequestedMail } from '../../../domain/notices/requests/requested-mail.schemas.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';

const Queued = z
  .object({ queued: z.literal(true).meta({ description: 'The mail leaves within seconds.' }) })
  .meta({ id: 'QueuedMail', description: 'A mail that is on its way.' });

export const v1MobileSendEmail = endpoint({
  name: 'v1MobileSendEmail',
  method: 'POST',
  route: 'api/v1/mobile/send-email',
  tag: 'Notifications',
  summary: 'Write to the clinic’s support, or have a link to an answer mailed to me',
  description:
    'The recipient follows from the template, never from the request: `support_request` goes to the support address of the ' +
    'clinic (parameter `mobile/app`, key `support_email`), which replies to the caller’s address; `case_answer_link` goes ' +
    'to the caller’s own address, and says only that there is news. The caller’s address has to be verified.',
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
