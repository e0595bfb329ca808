import { z } from 'zod';
import { changeMembers } from '../../../../domain/identity/groups/change-members.ts';
import { MemberChange, MemberResults } from '../../../../domain/identity/groups/group.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeChangeGroupMembers = endpoint({
  name: 'v1BackofficeChangeGroupMembers',
  method: 'PATCH',
  route: 'api/v1/backoffice/groups/{uuid}/members',
  tag: 'Office',
  summary: 'Add accounts to a group, and remove accounts from it',
  description:
    'Only physicians and admins can be members. Each account succeeds or fails independently; adding a member again, ' +
    'or removing an account that is not a member, succeeds. Changes take effect with the member’s next request.',
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
