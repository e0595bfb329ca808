import { notifyPatients } from '../../../../domain/desk/notifying/notify-patients.ts';
import {
  NotifyPatients,
  NotifyPatientsResult,
} from '../../../../domain/desk/notifying/notify-patients.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeNotifyPatients = endpoint({
  name: 'v1BackofficeNotifyPatients',
  method: 'PATCH',
  route: 'api/v1/backoffice/cases/notify-patient',
  tag: 'Backoffice',
  summary: 'Publish signed answers and notify their patients',
  description:
    'A signed answer is published immediately, without waiting for the end of the undo period, and its patient is ' +
    'notified over every channel that the patient has enabled. For an answer that is already published the ' +
    'notification is repeated over `channels`, at most three times in 24 hours. Each case succeeds or fails ' +
    'independently; the reply is 200 even if all of them fail.',
  auth: 'physician-level',
  audit: { category: 'case', success: 'patients_notified', refusal: 'patients_notified' },
  reads: ['idempotency-key'],
  sends: ['Idempotency-Replayed'],
  body: NotifyPatients,
  reply: { status: 200, description: 'One result for each case.', body: NotifyPatientsResult },
  problems: [],
  async handler({ body, context, actor, replyHeaders }) {
    const { reply, replayed } = await notifyPatients(context, actor, body);
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    return reply;
  },
});
