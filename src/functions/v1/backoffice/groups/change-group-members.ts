import { z } from 'zod';
import { changeMembers } from '../../../../domain/identity/groups/change-members.ts';
import { MemberChange, MemberResults } from '../../../../domain/identity/groups/group.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeChangeGroupMembers = endpoint({
  name: 'v1BackofficeChangeGroupMembers',
  method: 'PATCH',
  route: 'api/v1/backoffice/groups/{uuid}/members',
  tag: 'Office',
  summary: 'Add accounts to a group, and remove others',
  description:
    'Only physicians and admins join a group. Each account succeeds or fails by itself; one that is in the group already, or ' +
    'not any more, is a success. What the group adds counts from the next request of the member on.',
  auth: 'admin-level',
  audit: { category: 'admin', success: 'group_members_changed', refusal: 'group_members_changed' },
  params: z.object({ uuid: z.uuid().meta({ description: 'A group of the tenant.' }) }),
  missing: 'group_not_found',
  body: MemberChange,
  reply: { status: 200, description: 'What became of each account.', body: MemberResults },
  problems: ['group_not_found'],
  async handler({ params, body, context, actor }) {
    return await changeMembers(context, actor, { ...params, ...body });
  },
});
