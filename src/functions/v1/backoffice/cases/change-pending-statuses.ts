import { auditEvents } from '../../../../contract/audit.ts';
import { changePendingStatuses } from '../../../../domain/desk/handling/change-pending-statuses.ts';
import {
  PendingChanges,
  PendingChangesResult,
} from '../../../../domain/desk/handling/pending-changes.schemas.ts';
import { describeActions } from '../../../../domain/cases/record/describe-actions.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeChangePendingStatuses = endpoint({
  name: 'v1BackofficeChangePendingStatuses',
  method: 'PATCH',
  route: 'api/v1/backoffice/cases/changes-pending-status',
  tag: 'Backoffice',
  summary: 'Change the pending status of cases on hold, or resume them',
  description:
    'For the physician of each case and for admins. Each change succeeds or fails independently; the reply is 200 ' +
    'even if all of them fail. `pending_status: null` resumes the case.\n\n' +
    describeActions(['change_pending_status', 'resume']),
  auth: 'physician-level',
  audit: auditEvents.caseHandled,
  reads: ['idempotency-key'],
  sends: ['Idempotency-Replayed'],
  body: PendingChanges,
  bodyLimit: 256 * 1024,
  reply: { status: 200, description: 'One result for each change.', body: PendingChangesResult },
  problems: [],
  async handler({ body, context, actor, replyHeaders }) {
    const { reply, replayed } = await changePendingStatuses(context, actor, body.changes);
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    return reply;
  },
});
