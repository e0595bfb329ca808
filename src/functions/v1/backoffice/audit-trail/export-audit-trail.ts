import { exportedEvents, exportTrail } from '../../../../domain/records/trail/export-trail.ts';
import { TrailFilters } from '../../../../domain/records/trail/trail.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeExportAuditTrail = endpoint({
  name: 'v1BackofficeExportAuditTrail',
  method: 'GET',
  route: 'api/v1/backoffice/audit-trail/csv',
  tag: 'Office',
  summary: 'Export the audit trail of a case, a patient or an account as CSV',
  description:
    `The same events and filters as \`GET /api/v1/backoffice/audit-trail\`, at most ${exportedEvents} events; a larger ` +
    'result is refused, because a truncated list would prove nothing. The format is RFC 4180 in UTF-8 with a ' +
    'byte-order mark; a cell that a spreadsheet would evaluate as a formula is prefixed with an apostrophe. The ' +
    'export itself is recorded as an event.',
  auth: 'admin-level',
  audit: { category: 'access', success: 'audit_trail_exported', refusal: 'audit_trail_exported' },
  quota: 'downloads',
  sends: ['Content-Disposition'],
  query: TrailFilters,
  reply: { status: 200, description: 'The events.', raw: 'text/csv; charset=utf-8' },
  problems: ['search_too_broad'],
  async handler({ query, context, actor }) {
    const body = await exportTrail(context, actor, query);
    return { body, headers: { 'content-disposition': 'attachment; filename="audit-trail.csv"' } };
  },
});
