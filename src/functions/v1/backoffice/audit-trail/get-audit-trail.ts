import { readTrail } from '../../../../domain/records/trail/read-trail.ts';
import { TrailEvent, TrailQuery } from '../../../../domain/records/trail/trail.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { pageOf } from '../../../../lib/paging/page.ts';

export const v1BackofficeGetAuditTrail = endpoint({
  name: 'v1BackofficeGetAuditTrail',
  method: 'GET',
  route: 'api/v1/backoffice/audit-trail',
  tag: 'Office',
  summary: 'Get the audit trail of a case, a patient or an account, newest first',
  description:
    'At least one of `case_uuid`, `patient_uuid`, `user_uuid` and `actor_uuid` is required; several filters are ' +
    'combined with AND. Events contain ids, codes, counts and the actor, but no text by a patient or a physician. ' +
    'For an id that is unknown or belongs to another tenant, the result contains only attempts by staff of the ' +
    'caller’s tenant. Each read is recorded as an event.',
  auth: 'admin-level',
  audit: { category: 'access', success: 'audit_trail_read', refusal: 'audit_trail_read' },
  query: TrailQuery,
  reply: {
    status: 200,
    description: 'At most `limit` events.',
    body: pageOf(TrailEvent, { id: 'TrailPage', description: 'A page of the audit trail.' }),
  },
  problems: ['cursor_invalid', 'search_too_broad'],
  async handler({ query, context, actor }) {
    return await readTrail(context, actor, query);
  },
});
