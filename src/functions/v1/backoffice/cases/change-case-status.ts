import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { CaseDetail } from '../../../../domain/desk/cases/case-detail.schemas.ts';
import { handleCase } from '../../../../domain/desk/handling/handle-case.ts';
import { StaffAction, staffActionNames } from '../../../../domain/desk/handling/staff-action.schemas.ts';
import { describeActions } from '../../../../domain/cases/record/describe-actions.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { expectedVersion, statedVersion, versionTag } from '../../../../lib/http/record-version.ts';

export const v1BackofficeChangeCaseStatus = endpoint({
  name: 'v1BackofficeChangeCaseStatus',
  method: 'POST',
  route: 'api/v1/backoffice/cases/{uuid}/status',
  tag: 'Backoffice',
  summary: 'Claim, renew, release, hold, resume, assign, cancel or reopen a case, or undo its signature',
  description:
    '`claim` leases a case of the caller’s lanes; physicians on call can claim emergencies of any lane, ' +
    'without a version where they cannot read them. `release` ' +
    'returns the case to the queue; it is not offered to the caller again for one day. `hold` with ' +
    '`awaiting_patient` sends `message` to the patient; the due time is paused during a hold, and `resume` or the ' +
    'patient’s reply reserves the case for its physician. `assign` (capability `case.assign`) reserves the case for ' +
    'another physician and ends the current lease. `cancel` requires `case.cancel`. `reopen` ' +
    'requires `case.reopen`, at any time; without it, the physician who signed the answer can reopen a closed case within 14 ' +
    'days of closing. `undo` withdraws an answer that is signed but not published yet.\n\n' +
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
    const versionOf = body.action === 'claim' ? statedVersion : expectedVersion;
    const version = versionOf(request.ifMatch, body.version);
    const { reply, replayed } = await handleCase(context, actor, params.uuid, body, version);
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    replyHeaders['etag'] = versionTag(reply.version);
    return reply;
  },
});
