import { v1BackofficeCreatePhysician } from '../../../../../src/functions/v1/backoffice/physicians/create-physician.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';
import { plain, post } from '../../../access/rows.ts';
import { freshEmail } from '../../../../support/accounts.ts';

const noor = {
  email: 'noor-{{$timestamp}}@example.org',
  display_name: 'Noor Example',
  language_preference: 'ar',
};

export const createPhysicianScenario = scenario({
  endpoint: v1BackofficeCreatePhysician,
  as: 'admin',
  good: {
    invited: {
      title: 'A physician who is invited at once',
      after: { guest: { operation: 'getMe', as: 'newcomer' }, group: 'v1BackofficeCreateGroup' },
      json: {
        ...noor,
        email: 'noor-{{guest.response.body.user.uuid}}@example.org',
        private_pool: 'hand-clinic',
        settings: { title: 'Dr.', review_languages: ['ar', 'en'] },
        admin_settings: { max_open_cases: 2 },
        group_uuids: ['{{group.response.body.uuid}}'],
      },
    },
    later: { title: 'A physician who is invited later', json: { ...noor, invite: false } },
  },
  mistakes: {
    language: {
      title: 'A language that does not exist',
      code: 'validation_error',
      pointers: ['/language_preference'],
      json: { ...noor, language_preference: 'xx' },
    },
  },
  refusals: {
    email: {
      title: 'An address that is registered',
      code: 'email_taken',
      json: { ...noor, email: 'physician@dermagate.example' },
    },
    reused: {
      title: 'The key of another physician',
      code: 'idempotency_key_reused',
      after: {
        guest: { operation: 'getMe', as: 'newcomer' },
        first: {
          operation: 'v1BackofficeCreatePhysician',
          headers: { 'idempotency-key': 'for-{{guest.response.body.user.uuid}}' },
          json: { ...noor, invite: false },
        },
      },
      headers: { 'idempotency-key': 'for-{{guest.response.body.user.uuid}}' },
      json: { ...noor, invite: false },
    },
    employee_id: {
      title: 'The employee id of another physician',
      code: 'employee_id_taken',
      after: {
        first: {
          operation: 'v1BackofficeCreatePhysician',
          json: { ...noor, employee_id: '{{#$timestamp}}' },
        },
      },
      json: { ...noor, employee_id: '{{#first.response.body.physician.employee_id}}' },
    },
    group: {
      title: 'A group that does not exist',
      code: 'group_not_found',
      json: { ...noor, group_uuids: [unknownId] },
    },
  },
  access: {
    new: {
      ...plain(() =>
        post('physicians', {
          email: freshEmail('prepared'),
          display_name: 'Noor',
          language_preference: 'en',
          invite: false,
        }),
      ),
      cells: '401 403 403 201 403 403 403 403 403 201',
    },
  },
});
