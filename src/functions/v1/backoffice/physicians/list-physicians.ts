import { listPhysicians } from '../../../../domain/identity/physicians/list-physicians.ts';
import { PhysicianPage, PhysicianQuery } from '../../../../domain/identity/physicians/physician.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeListPhysicians = endpoint({
  name: 'v1BackofficeListPhysicians',
  method: 'POST',
  route: 'api/v1/backoffice/physicians/details',
  tag: 'Backoffice',
  summary: 'List physicians with their workload',
  description:
    'Either those in `uuids`, in that order, or those that match the filters, page by page. Admins get complete ' +
    'profiles; physicians get only their own complete. A page can contain fewer items than `limit` even if ' +
    '`next_cursor` is set.',
  auth: 'physician-level',
  audit: { category: 'access', success: 'physicians_read', refusal: 'physicians_read' },
  body: PhysicianQuery,
  reply: {
    status: 200,
    description: 'At most `limit` physicians, or those that were named.',
    body: PhysicianPage,
  },
  problems: ['cursor_invalid'],
  async handler({ context, actor, body }) {
    return await listPhysicians(context, actor, body);
  },
});
