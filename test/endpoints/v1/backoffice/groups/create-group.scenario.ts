import { v1BackofficeCreateGroup } from '../../../../../src/functions/v1/backoffice/groups/create-group.ts';
import { scenario } from '../../../scenario.ts';
import { mark, plain, post } from '../../../access/rows.ts';

export const createGroupScenario = scenario({
  endpoint: v1BackofficeCreateGroup,
  as: 'admin',
  good: {
    auditors: {
      title: 'Physicians who read what others have signed',
      json: { name: 'Second readers-{{$timestamp}}', settings: { capabilities: ['case.audit'] } },
    },
    clinic: {
      title: 'A pool in two languages',
      json: {
        name: 'Hand clinic-{{$timestamp}}',
        settings: { pools: ['hand-clinic'], languages: ['en', 'he'] },
      },
    },
  },
  mistakes: {
    capability: {
      title: 'A capability that does not exist',
      code: 'validation_error',
      pointers: ['/settings/capabilities/0'],
      json: { name: 'Second readers', settings: { capabilities: ['case.read'] } },
    },
    pool: {
      title: 'The pool of all physicians',
      code: 'validation_error',
      pointers: ['/settings/pools/0'],
      json: { name: 'Everyone', settings: { pools: ['general'] } },
    },
  },
  refusals: {
    taken: {
      title: 'The name of another group',
      code: 'name_taken',
      after: { group: 'v1BackofficeCreateGroup' },
      json: { name: '{{group.response.body.name}}' },
    },
  },
  access: {
    new: {
      ...plain(() => post('groups', { name: mark() })),
      cells: '401 403 403 201 403 403 403 403 403 201',
    },
  },
});
