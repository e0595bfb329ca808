import { v1BackofficeChangeGroupMembers } from '../../../../../src/functions/v1/backoffice/groups/change-group-members.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';

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
});
