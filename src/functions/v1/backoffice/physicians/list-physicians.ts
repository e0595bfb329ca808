import { listPhysicians } from '../../../../domain/identity/physicians/list-physicians.ts';
import { PhysicianPage, PhysicianQuery } from '../../../../domain/identity/physicians/physician.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeListPhysicians = endpoint({
  name: 'v1BackofficeListPhysicians',
  method: 'POST',
  route: 'api/v1/backoffice/physicians/details',
  tag: 'Backoffice',
  summary: 'Read physicians and how much they have to do',
  description:
    'Those that `uuids` names, in that order, or those that fit a filter, page by page. Admins read all of each profile; ' +
    'physicians all of their own. A page may have fewer items than `limit` although `next_cursor` leads on.',
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
