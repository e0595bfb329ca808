import { z } from 'zod';
import { deleteGroup } from '../../../../domain/identity/groups/delete-group.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeDeleteGroup = endpoint({
  name: 'v1BackofficeDeleteGroup',
  method: 'DELETE',
  route: 'api/v1/backoffice/groups/{uuid}',
  tag: 'Office',
  summary: 'Delete a group',
  description: 'With their next request, members lose what the group added. Their accounts are not changed.',
  auth: 'admin-level',
  audit: { category: 'admin', success: 'group_deleted', refusal: 'group_deleted' },
  params: z.object({ uuid: z.uuid().meta({ description: 'A group of the tenant.' }) }),
  missing: 'group_not_found',
  reply: { status: 204, description: 'The group is gone.' },
  problems: ['group_not_found'],
  async handler({ params, context, actor }) {
    await deleteGroup(context, actor, params);
  },
});
