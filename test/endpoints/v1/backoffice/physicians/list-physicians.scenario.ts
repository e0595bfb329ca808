import { v1BackofficeListPhysicians } from '../../../../../src/functions/v1/backoffice/physicians/list-physicians.ts';
import { scenario } from '../../../scenario.ts';
import { holderProfile } from '../../../access/desk-rows.ts';
import { about, itself, post } from '../../../access/rows.ts';

const created = { after: { created: 'v1BackofficeCreatePhysician' } };

export const listPhysiciansScenario = scenario({
  endpoint: v1BackofficeListPhysicians,
  as: 'admin',
  good: {
    named: {
      title: 'One that is named, for an admin',
      ...created,
      json: { uuids: ['{{created.response.body.physician.uuid}}'] },
    },
    colleagues: {
      title: 'Colleagues of a pool who review Arabic, for a physician',
      as: 'physician',
      after: {
        colleague: {
          operation: 'v1BackofficeCreatePhysician',
          as: 'admin',
          json: {
            email: 'noor-{{$timestamp}}@example.org',
            display_name: 'Noor Example',
            language_preference: 'ar',
            private_pool: 'hand-clinic',
            invite: false,
          },
        },
      },
      // Those whom other requests have created are of no pool.
      state: [`UPDATE physicians SET private_pool = NULL WHERE id <> (SELECT max(id) FROM physicians)`],
      json: { filter: { pool: 'hand-clinic', language: 'ar', q: 'noor' } },
    },
  },
  mistakes: {
    both: {
      title: 'Names and a filter',
      code: 'validation_error',
      pointers: ['/uuids'],
      ...created,
      json: { uuids: ['{{created.response.body.physician.uuid}}'], filter: { active: true } },
    },
  },
  refusals: {
    cursor: {
      title: 'A cursor with another filter',
      code: 'cursor_invalid',
      after: {
        first: 'v1BackofficeCreatePhysician',
        second: 'v1BackofficeCreatePhysician',
        page: { operation: 'v1BackofficeListPhysicians', json: { limit: 1 } },
      },
      json: { filter: { q: 'noor' }, limit: 1, cursor: '{{page.response.body.next_cursor}}' },
    },
  },
  access: {
    'the holder': {
      ...about(holderProfile, ({ uuid }) => post('physicians/details', { uuids: [uuid] }), itself),
      cells: '401 403 unseen unseen seen seen seen seen seen seen',
    },
    'the holder’s address': {
      ...about(
        holderProfile,
        ({ uuid }) => post('physicians/details', { uuids: [uuid] }),
        ({ name }) => [name],
      ),
      cells: '401 403 unseen unseen seen unseen unseen unseen unseen seen',
    },
  },
});
