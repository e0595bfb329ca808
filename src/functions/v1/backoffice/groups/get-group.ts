import { z } from 'zod';
import { GroupDetail } from '../../../../domain/identity/groups/group.schemas.ts';
import { readGroup } from '../../../../domain/identity/groups/read-group.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { versionTag } from '../../../../lib/http/record-version.ts';
import { PageQuery } from '../../../../lib/paging/page.ts';

export const v1BackofficeGetGroup = endpoint({
  name: 'v1BackofficeGetGroup',
  method: 'GET',
  route: 'api/v1/backoffice/groups/{uuid}',
  tag: 'Office',
  summary: 'Get a group with its members',
  description:
    '`limit` and `cursor` page through the members, in the order in which their accounts were created.',
  auth: 'admin-level',
  audit: 'none',
  sends: ['ETag'],
  params: z.object({ uuid: z.uuid().meta({ description: 'A group of the tenant.' }) }),
  missing: 'group_not_found',
  query: PageQuery,
  reply: { status: 200, description: 'The group.', body: GroupDetail },
  problems: ['group_not_found', 'cursor_invalid'],
  async handler({ params, query, context, actor, replyHeaders }) {
    const group = await readGroup(context, actor, { ...params, ...query });
    replyHeaders['etag'] = versionTag(group.version);
    return group;
  },
});
