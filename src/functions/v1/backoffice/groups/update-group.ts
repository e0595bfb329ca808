import { z } from 'zod';
import { RecordVersion } from '../../../../contract/record-version.ts';
import { Group, GroupName } from '../../../../domain/identity/groups/group.schemas.ts';
import { GroupSettingsChange } from '../../../../domain/identity/groups/group-settings.schemas.ts';
import { updateGroup } from '../../../../domain/identity/groups/update-group.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { expectedVersion, versionTag } from '../../../../lib/http/record-version.ts';

export const v1BackofficeUpdateGroup = endpoint({
  name: 'v1BackofficeUpdateGroup',
  method: 'PATCH',
  route: 'api/v1/backoffice/groups/{uuid}',
  tag: 'Office',
  summary: 'Rename a group, or change what it adds',
  description: 'Changes take effect with each member’s next request.',
  auth: 'admin-level',
  audit: { category: 'admin', success: 'group_updated', refusal: 'group_updated' },
  reads: ['if-match'],
  sends: ['ETag'],
  params: z.object({ uuid: z.uuid().meta({ description: 'A group of the tenant.' }) }),
  missing: 'group_not_found',
  body: z
    .strictObject({
      name: GroupName.optional(),
      settings: GroupSettingsChange.optional(),
      version: RecordVersion.optional().meta({ description: 'Of the group; or send `If-Match`.' }),
    })
    .meta({
      id: 'GroupChange',
      description: 'What is absent stays as it is; a list replaces the one before.',
    }),
  reply: { status: 200, description: 'The group as it is now.', body: Group },
  problems: ['group_not_found', 'name_taken'],
  async handler({ params: { uuid }, body: { version, ...change }, context, actor, request, replyHeaders }) {
    const expected = expectedVersion(request.ifMatch, version);
    const group = await updateGroup(context, actor, { ...change, uuid, version: expected });
    replyHeaders['etag'] = versionTag(group.version);
    return group;
  },
});
