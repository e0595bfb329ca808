import { auditEvents } from '../../../../contract/audit.ts';
import {
  caseBodyLimit,
  CaseUpdate,
  CaseUpdateDocs,
} from '../../../../domain/cases/patient/case-input.schemas.ts';
import { MobileCase } from '../../../../domain/cases/record/mobile-case.schemas.ts';
import { updateCase } from '../../../../domain/cases/patient/update-case.ts';
import { describeActions } from '../../../../domain/cases/record/describe-actions.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { expectedVersion, versionTag } from '../../../../lib/http/record-version.ts';

export const v1MobileUpdateCase = endpoint({
  name: 'v1MobileUpdateCase',
  method: 'POST',
  route: 'api/v1/mobile/cases/update',
  tag: 'Cases',
  summary: 'Change a draft, or add what the clinic requested',
  description:
    'Replaces the whole anamnesis; earlier revisions are retained. `If-Match` or `version` contains the version that ' +
    'the client has read: if two devices change the same case, the second gets 412 and overwrites nothing. With ' +
    '`submit` the case is submitted in the same request. A case with `action_needed` whose answers now meet a flag of high ' +
    'or emergency urgency is submitted without it: show `advice`, and read `allowed_actions` before the next action. A case ' +
    'that has left `action_needed` without the reply still takes it while it is `waiting`. Once it has been in the queue, ' +
    'no required answer and not the last photo can be removed (422 `case_incomplete`), unless the change makes the case more urgent.\n\n' +
    describeActions(['update']),
  auth: 'any',
  quota: 'questions',
  verifiedOnly: true,
  reads: ['lang', 'if-match'],
  sends: ['Content-Language', 'ETag'],
  audit: auditEvents.caseUpdated,
  body: CaseUpdate,
  bodyDocs: CaseUpdateDocs,
  bodyLimit: caseBodyLimit,
  reply: { status: 200, description: 'The case as it is now.', body: MobileCase },
  problems: [
    'case_not_found',
    'case_state_conflict',
    'patient_not_found',
    'image_not_found',
    'anamnesis_invalid',
    'age_mismatch',
    'case_incomplete',
    'consent_outdated',
    'message_required',
  ],
  async handler({ body, context, actor, request, replyHeaders }) {
    const version = expectedVersion(request.ifMatch, body.version);
    const updated = await updateCase(context, actor, body, version);
    replyHeaders['etag'] = versionTag(updated.version);
    return updated;
  },
});
