import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { CaseAction, caseActionNames } from '../../../../domain/cases/patient/case-input.schemas.ts';
import { changeCaseStatus } from '../../../../domain/cases/patient/change-case-status.ts';
import { MobileCase } from '../../../../domain/cases/record/mobile-case.schemas.ts';
import { describeActions } from '../../../../domain/cases/record/describe-actions.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { versionTag } from '../../../../lib/http/record-version.ts';

export const v1MobileChangeCaseStatus = endpoint({
  name: 'v1MobileChangeCaseStatus',
  method: 'POST',
  route: 'api/v1/mobile/cases/{uuid}/status',
  tag: 'Cases',
  summary: 'Submit, cancel, reply to or acknowledge a case',
  description:
    '`submit` submits a complete draft. `reply` provides what the clinic requested; `submit` has the same effect in ' +
    'that state. A reply to a question of a physician needs a `message`, unless a photo, a message or changed answers ' +
    'were added since. Within 14 days of an answer the patient can `reply` once with a `message`, which reopens the case ' +
    'for the physician who answered. `cancel` withdraws the case; if a flag of high urgency was found, the reply ' +
    'repeats the advice. `acknowledge` marks the answer as read. With `version` the action is refused if the case ' +
    'has changed since.\n\n' +
    describeActions(caseActionNames),
  auth: 'any',
  quota: 'questions',
  verifiedOnly: true,
  reads: ['lang', 'idempotency-key'],
  sends: ['Content-Language', 'ETag', 'Idempotency-Replayed'],
  audit: auditEvents.caseActed,
  params: z.object({ uuid: z.uuid().meta({ description: 'One’s own case.' }) }),
  missing: 'case_not_found',
  body: CaseAction,
  reply: { status: 200, description: 'The case as it is now.', body: MobileCase },
  problems: [
    'case_state_conflict',
    'version_conflict',
    'age_mismatch',
    'case_incomplete',
    'consent_outdated',
    'message_required',
  ],
  async handler({ params, body, context, actor, replyHeaders }) {
    const { reply, replayed } = await changeCaseStatus(context, actor, params.uuid, body);
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    replyHeaders['etag'] = versionTag(reply.version);
    return reply;
  },
});
