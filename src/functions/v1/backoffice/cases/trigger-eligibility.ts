import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import {
  CheckedEligibility,
  EligibilityTrigger,
} from '../../../../domain/desk/handling/eligibility-check.schemas.ts';
import { triggerEligibility } from '../../../../domain/desk/handling/trigger-eligibility.ts';
import { describeActions } from '../../../../domain/cases/record/describe-actions.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { expectedVersion, versionTag } from '../../../../lib/http/record-version.ts';

export const v1BackofficeTriggerEligibility = endpoint({
  name: 'v1BackofficeTriggerEligibility',
  method: 'POST',
  route: 'api/v1/backoffice/cases/{uuid}/trigger-eligibility',
  tag: 'Backoffice',
  summary: 'Check again whether the clinic accepts a case',
  description:
    'The outcome moves the case into the queue, back to its patient, or to `ineligible`. A queued case stays in the ' +
    'queue unless it is ineligible, and its patient is asked for what is missing; the patient is not asked for the same ' +
    'thing twice. At most six times an hour for each case. Not possible during the analysis, or while a physician has the case on hold.\n\n' +
    describeActions(['check_eligibility']),
  auth: 'physician-level',
  audit: auditEvents.caseEligibilityChecked,
  reads: ['lang', 'if-match'],
  sends: ['Content-Language', 'ETag'],
  params: z.object({ uuid: z.uuid().meta({ description: 'A case that the caller may see.' }) }),
  missing: 'case_not_found',
  body: EligibilityTrigger,
  reply: {
    status: 200,
    description: 'How it was judged, and where it stands now.',
    body: CheckedEligibility,
    alternative: {
      status: 202,
      description: 'The eligibility service did not answer: the case stands where it stood.',
      when: ({ outcome }) => outcome === 'undetermined',
    },
  },
  problems: ['case_state_conflict', 'rate_limited'],
  async handler({ params, body, context, actor, request, replyHeaders }) {
    const version = expectedVersion(request.ifMatch, body.version);
    const checked = await triggerEligibility(context, actor, params.uuid, body, version);
    replyHeaders['etag'] = versionTag(checked.case.version);
    return checked;
  },
});
