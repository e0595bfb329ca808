import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { HistoryReason, PatientHistory } from '../../../../domain/desk/history/history.schemas.ts';
import { readHistory } from '../../../../domain/desk/history/read-history.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { PageQuery } from '../../../../lib/paging/page.ts';

export const v1BackofficeGetHistory = endpoint({
  name: 'v1BackofficeGetHistory',
  method: 'GET',
  route: 'api/v1/backoffice/history/{user_identifier}',
  tag: 'Backoffice',
  summary: 'Get the history of a patient',
  description:
    'Physicians who have or had a case of the patient, or signed an answer, need no reason. All other callers, ' +
    'including admins, must give a reason, which is recorded in the event log. Staff cannot read the history of ' +
    'their own account. An email address is rejected, because URLs are logged.',
  auth: 'physician-level',
  audit: auditEvents.historyRead,
  reads: ['lang'],
  sends: ['Content-Language'],
  params: z.object({
    user_identifier: z.string().max(320).meta({ description: 'UUID of the patient, or the clinic’s id.' }),
  }),
  missing: 'patient_not_found',
  query: PageQuery.extend({ reason: HistoryReason.optional() }),
  reply: { status: 200, description: 'The patient, and at most `limit` cases.', body: PatientHistory },
  problems: ['patient_not_found', 'reason_required', 'cursor_invalid', 'validation_error'],
  async handler({ params: { user_identifier: named }, query, context, actor }) {
    return await readHistory(context, actor, named, query);
  },
});
