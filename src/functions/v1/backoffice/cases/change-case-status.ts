import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { CaseDetail } from '../../../../domain/cases/desk/case-detail.schemas.ts';
import { handleCase } from '../../../../domain/cases/handling/handle-case.ts';
import { StaffAction, staffActionNames } from '../../../../domain/cases/handling/staff-action.schemas.ts';
import { describeActions } from '../../../../domain/cases/state/describe-actions.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { expectedVersion, versionTag } from '../../../../lib/http/record-version.ts';

export const v1BackofficeChangeCaseStatus = endpoint({
  name: 'v1BackofficeChangeCaseStatus',
  method: 'POST',
  route: 'api/v1/backoffice/cases/{uuid}/status',
  tag: 'Backoffice',
  summary: 'Claim, renew, release, hold, resume, assign, cancel or reopen a case, or withdraw its answer',
  description:
    '`claim` takes a case of the caller’s lanes; physicians on call claim emergencies of any lane. `release` puts it ' +
    'back, and does not offer it to the caller again for a day. `hold` with `awaiting_patient` sends `message` to the ' +
    'patient; while a case is on hold its due time stops, and `resume` or the patient’s reply reserves it for its ' +
    'physician. `assign` (capability `case.assign`) reserves it for another physician and ends a lease. `cancel` needs ' +
    '`case.cancel`. `reopen` needs `case.reopen`, or to have signed it: within 14 days of its closing. `undo` withdraws an ' +
    'answer that is signed and not published yet.\n\n' +
    describeActions(staffActionNames),
  auth: 'physician-level',
  audit: auditEvents.caseHandled,
  reads: ['lang', 'if-match', 'idempotency-key'],
  sends: ['Content-Language', 'ETag', 'Idempotency-Replayed'],
  params: z.object({ uuid: z.uuid().meta({ description: 'A case that the caller may see.' }) }),
  missing: 'case_not_found',
  body: StaffAction,
  reply: { status: 200, description: 'The case as it is now.', body: CaseDetail },
  problems: [
    'case_state_conflict',
    'lease_lost',
    'lease_limit',
    'claiming_disabled',
    'physician_away',
    'physician_not_found',
    'physician_profile_required',
    'capability_required',
    'message_required',
  ],
  async handler({ params, body, context, actor, request, replyHeaders }) {
    const version = expectedVersion(request.ifMatch, body.version);
    const { reply, replayed } = await handleCase(context, actor, params.uuid, body, version);
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    replyHeaders['etag'] = versionTag(reply.version);
    return reply;
  },
});
