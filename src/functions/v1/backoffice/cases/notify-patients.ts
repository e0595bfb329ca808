import { notifyPatients } from '../../../../domain/answers/notifying/notify-patients.ts';
import {
  NotifyPatients,
  NotifyPatientsResult,
} from '../../../../domain/answers/notifying/notify-patients.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeNotifyPatients = endpoint({
  name: 'v1BackofficeNotifyPatients',
  method: 'PATCH',
  route: 'api/v1/backoffice/cases/notify-patient',
  tag: 'Backoffice',
  summary: 'Tell patients of their answers, and publish those that are signed',
  description:
    'An answer that is signed is published at once, without waiting for the time in which it could be undone; its patient is ' +
    'told by every channel that the patient wants. Of an answer that is published the patient is told again: by those of ' +
    '`channels`, three times in 24 hours at most. Each case succeeds or fails alone; the reply is 200 also where all fail.',
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
