import { v1BackofficeChangeGroupMembers } from '../../../../../src/functions/v1/backoffice/groups/change-group-members.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';
import { randomUUID } from 'node:crypto';
import { newGroup, newMember } from '../../../access/office-rows.ts';
import { mark, nothing, post, send } from '../../../access/rows.ts';

const group = {
  after: {
    group: 'v1BackofficeCreateGroup',
    doctor: { operation: 'getMe', as: 'physician' as const },
    person: { operation: 'getMe', as: 'newcomer' as const },
  },
  params: { uuid: '{{group.response.body.uuid}}' },
};

export const changeGroupMembersScenario = scenario({
  endpoint: v1BackofficeChangeGroupMembers,
  as: 'admin',
  good: {
    mixed: {
      title: 'A physician joins; a patient may not, and an unknown account cannot',
      ...group,
      json: {
        add: ['{{doctor.response.body.user.uuid}}', '{{person.response.body.user.uuid}}', unknownId],
      },
    },
    leaves: {
      title: 'A physician leaves',
      ...group,
      json: { remove: ['{{doctor.response.body.user.uuid}}'] },
    },
  },
  mistakes: {
    both: {
      title: 'An account that joins and leaves',
      code: 'validation_error',
      pointers: [''],
      ...group,
      json: { add: [unknownId], remove: [unknownId] },
    },
  },
  access: {
    'a group': {
      make: async (stage) => ({
        ...(await newGroup(stage)),
        name: (await newMember('physician')(stage)).uuid,
      }),
      ask: ({ uuid, name }) => send('PATCH', `groups/${uuid}/members`, { add: [name] }),
      cells: '401 403 403 404 403 403 403 403 403 done',
    },
    'a member of the tenant': {
      // A group of the caller's own tenant, which exists for admins alone.
      make: async (stage, { token }) => {
        const { path, ...asked } = post('groups', { name: mark() });
        const reply = await stage.app.request(path, { ...asked, ...(token !== undefined && { token }) });
        const made = (await reply.json()) as { uuid?: string };
        return {
          ...nothing,
          uuid: made.uuid ?? randomUUID(),
          name: (await newMember('physician')(stage)).uuid,
        };
      },
      ask: ({ uuid, name }) => send('PATCH', `groups/${uuid}/members`, { add: [name] }),
      cells: '401 403 403 -user_not_found 403 403 403 403 403 done',
    },
  },
});
