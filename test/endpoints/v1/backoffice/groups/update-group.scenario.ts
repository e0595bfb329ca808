import { v1BackofficeUpdateGroup } from '../../../../../src/functions/v1/backoffice/groups/update-group.ts';
import { scenario } from '../../../scenario.ts';
import { newGroup } from '../../../access/office-rows.ts';
import { about, mark, send } from '../../../access/rows.ts';

const created = {
  after: { group: 'v1BackofficeCreateGroup' },
  params: { uuid: '{{group.response.body.uuid}}' },
  headers: { 'if-match': '{{group.response.headers.etag}}' },
};

export const updateGroupScenario = scenario({
  endpoint: v1BackofficeUpdateGroup,
  as: 'admin',
  good: {
    capabilities: {
      title: 'Members may assign cases as well',
      ...created,
      json: { settings: { capabilities: ['case.audit', 'case.assign'] } },
    },
  },
  mistakes: {
    twice: {
      title: 'A language twice',
      code: 'validation_error',
      pointers: ['/settings/languages'],
      ...created,
      json: { settings: { languages: ['he', 'he'] } },
    },
  },
  refusals: {
    taken: {
      title: 'The name of another group',
      code: 'name_taken',
      ...created,
      after: { ...created.after, other: 'v1BackofficeCreateGroup' },
      json: { name: '{{other.response.body.name}}' },
    },
  },
  access: {
    'a group': {
      ...about(newGroup, ({ uuid, version }) => send('PATCH', `groups/${uuid}`, { name: mark(), version })),
      cells: '401 403 403 404 403 403 403 403 403 200',
    },
  },
});
