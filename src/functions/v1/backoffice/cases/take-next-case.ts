import { auditEvents } from '../../../../contract/audit.ts';
import { NextCase, NextCaseRequest } from '../../../../domain/desk/next-case/next-case.schemas.ts';
import { takeNextCase } from '../../../../domain/desk/next-case/take-next-case.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeTakeNextCase = endpoint({
  name: 'v1BackofficeTakeNextCase',
  method: 'POST',
  route: 'api/v1/backoffice/cases/next-case',
  tag: 'Backoffice',
  summary: 'Take the next case to answer, or the next answer to audit',
  description:
    'Leases the most urgent case of the caller’s lanes that no other physician holds, together with the rest of its ' +
    'batch. Order: emergencies, then cases due within a day, then by due time; within these, reserved cases before ' +
    'cases of private pools before the general pool. Reading the case, saving the draft and `renew_lease` renew the ' +
    'lease. A caller who already holds the maximum number of cases gets the most recently taken one again, as ' +
    '`resumed`, so that a repeated request takes no second case. If no case is available, the reply states when to ' +
    'ask again.',
  auth: 'physician-level',
  audit: auditEvents.caseTaken,
  reads: ['lang'],
  sends: ['Content-Language'],
  body: NextCaseRequest,
  reply: { status: 200, description: 'The case, or null.', body: NextCase },
  problems: ['physician_profile_required', 'physician_away', 'capability_required'],
  async handler({ context, actor, body }) {
    return await takeNextCase(context, actor, body);
  },
});
