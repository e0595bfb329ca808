import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { CaseDetail } from '../../../../domain/desk/cases/case-detail.schemas.ts';
import { readCaseDetail } from '../../../../domain/desk/cases/read-case-detail.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { versionTag } from '../../../../lib/http/record-version.ts';

export const v1BackofficeGetCase = endpoint({
  name: 'v1BackofficeGetCase',
  method: 'GET',
  route: 'api/v1/backoffice/cases/{uuid}',
  tag: 'Backoffice',
  summary: 'Get a case',
  description:
    'Physicians see the cases of their lanes and those that they have claimed or answered; admins see every case of ' +
    'the tenant. Staff never see cases of their own account. When the physician who holds the lease reads the case, ' +
    'the lease is renewed; the version does not change.',
  auth: 'physician-level',
  audit: auditEvents.caseRead,
  reads: ['lang'],
  sends: ['Content-Language', 'ETag'],
  params: z.object({ uuid: z.uuid().meta({ description: 'A case that the caller may see.' }) }),
  missing: 'case_not_found',
  reply: { status: 200, description: 'The case.', body: CaseDetail },
  problems: [],
  async handler({ params, context, actor, replyHeaders }) {
    const found = await readCaseDetail(context, actor, params.uuid);
    replyHeaders['etag'] = versionTag(found.version);
    return found;
  },
});
