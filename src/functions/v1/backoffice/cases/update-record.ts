import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { caseBodyLimit } from '../../../../domain/cases/patient/case-input.schemas.ts';
import { CaseDetail } from '../../../../domain/desk/cases/case-detail.schemas.ts';
import { RecordUpdate, RecordUpdateDocs } from '../../../../domain/desk/handling/record-update.schemas.ts';
import { updateRecord } from '../../../../domain/desk/handling/update-record.ts';
import { describeActions } from '../../../../domain/cases/record/describe-actions.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { expectedVersion, versionTag } from '../../../../lib/http/record-version.ts';

export const v1BackofficeUpdateRecord = endpoint({
  name: 'v1BackofficeUpdateRecord',
  method: 'POST',
  route: 'api/v1/backoffice/cases/{uuid}/update-record',
  tag: 'Backoffice',
  summary: 'Correct the answers, the patient, the urgency or the lane of a case',
  description:
    'For the physician who holds the lease, and for admins. The patched answers are validated as a whole and stored ' +
    'as a new revision; earlier revisions are retained. Red flags are evaluated again; none is removed. If an urgent ' +
    'one is added, a refused or held case goes to the queue, and its patient is notified. Physicians on call are ' +
    'notified of a case that becomes an emergency, by its answers or by its level. Raising the urgency requires ' +
    'nothing, lowering it requires the capability `triage.lower` and `triage_reason`; it cannot be ' +
    'lower than the red flags require. The due time is recalculated from the urgency, and a waiting case moves to ' +
    'the lane of its pool and language.\n\n' +
    describeActions(['update_record']),
  auth: 'physician-level',
  audit: auditEvents.caseRecordUpdated,
  reads: ['lang', 'if-match'],
  sends: ['Content-Language', 'ETag'],
  params: z.object({ uuid: z.uuid().meta({ description: 'A case that the caller may see.' }) }),
  missing: 'case_not_found',
  body: RecordUpdate,
  bodyDocs: RecordUpdateDocs,
  bodyLimit: caseBodyLimit,
  reply: { status: 200, description: 'The case as it is now.', body: CaseDetail },
  problems: [
    'case_state_conflict',
    'lease_lost',
    'capability_required',
    'patient_not_found',
    'anamnesis_invalid',
    'age_mismatch',
  ],
  async handler({ params, body, context, actor, request, replyHeaders }) {
    const version = expectedVersion(request.ifMatch, body.version);
    const updated = await updateRecord(context, actor, params.uuid, body, version);
    replyHeaders['etag'] = versionTag(updated.version);
    return updated;
  },
});
