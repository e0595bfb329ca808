import { Group } from '../../../../domain/identity/groups/group.schemas.ts';
import { listGroups } from '../../../../domain/identity/groups/list-groups.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { PageQuery, pageOf } from '../../../../lib/paging/page.ts';

export const v1BackofficeListGroups = endpoint({
  name: 'v1BackofficeListGroups',
  method: 'GET',
  route: 'api/v1/backoffice/groups',
  tag: 'Office',
  summary: 'List the groups of the tenant by name',
  description: 'Each with what it adds and its number of members.',
  auth: 'admin-level',
  audit: 'none',
  query: PageQuery,
  reply: {
    status: 200,
    description: 'At most `limit` groups.',
    body: pageOf(Group, { id: 'GroupPage', description: 'A page of groups.' }),
  },
  problems: ['cursor_invalid'],
  async handler({ query, context, actor }) {
    return await listGroups(context, actor, query);
  },
});
