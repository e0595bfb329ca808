import { auditEvents } from '../../../../contract/audit.ts';
import { NextCase, NextCaseRequest } from '../../../../domain/cases/queue/next-case.schemas.ts';
import { takeNextCase } from '../../../../domain/cases/queue/take-next-case.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeTakeNextCase = endpoint({
  name: 'v1BackofficeTakeNextCase',
  method: 'POST',
  route: 'api/v1/backoffice/cases/next-case',
  tag: 'Backoffice',
  summary: 'Take the next case to answer, or the next answer to audit',
  description:
    'The most urgent case of the caller’s lanes that no other physician has, with the rest of its batch: emergencies ' +
    'first, then what is to be answered within a day, then the earliest due time; reserved cases before those of private ' +
    'pools before the general pool. It is the caller’s until the lease ends; reading the case, saving the draft and ' +
    '`renew_lease` put that off. A caller who has as many cases in hand as allowed gets the one taken last again, ' +
    '`resumed`: to ask twice takes nothing twice. Without a case the reply says when to ask again.',
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
