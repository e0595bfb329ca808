import { z } from 'zod';
import { createGroup } from '../../../../domain/identity/groups/create-group.ts';
import { Group, GroupName } from '../../../../domain/identity/groups/group.schemas.ts';
import { GroupSettingsChange } from '../../../../domain/identity/groups/group-settings.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { versionTag } from '../../../../lib/http/record-version.ts';

export const v1BackofficeCreateGroup = endpoint({
  name: 'v1BackofficeCreateGroup',
  method: 'POST',
  route: 'api/v1/backoffice/groups',
  tag: 'Office',
  summary: 'Create a group',
  description:
    'A group adds capabilities, private pools and languages to those of its members; it never removes any. A new ' +
    'group has no members. Names are unique, so a repeated request creates no second group.',
  auth: 'admin-level',
  audit: { category: 'admin', success: 'group_created', refusal: 'group_created' },
  sends: ['ETag', 'Location'],
  body: z
    .strictObject({ name: GroupName, settings: GroupSettingsChange.optional() })
    .meta({ id: 'NewGroup', description: 'A list of the settings that is absent is empty.' }),
  reply: { status: 201, description: 'The group.', body: Group },
  problems: ['name_taken'],
  async handler({ context, actor, body: { name, settings = {} }, replyHeaders }) {
    const { capabilities = [], pools = [], languages = [] } = settings;
    const group = await createGroup(context, actor, { name, settings: { capabilities, pools, languages } });
    replyHeaders['location'] = `/api/v1/backoffice/groups/${group.uuid}`;
    replyHeaders['etag'] = versionTag(group.version);
    return group;
  },
});
