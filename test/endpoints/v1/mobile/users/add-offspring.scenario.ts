import { v1MobileAddOffspring } from '../../../../../src/functions/v1/mobile/users/add-offspring.ts';
import { scenario } from '../../../scenario.ts';

const child = {
  given_name: 'Dan',
  birth_date: '2019-04-30',
  gender: 'male',
  relation: 'child',
  guardian_confirmed: true,
};
const mine = '{{mine.response.body.profiles[0].uuid}}';

export const addOffspringScenario = scenario({
  endpoint: v1MobileAddOffspring,
  as: 'newcomer',
  good: {
    child: { title: 'A child', json: child },
    ward: {
      title: 'A ward whom the clinic knows',
      json: { ...child, relation: 'ward', external_id: 'M-{{$timestamp}}' },
    },
  },
  mistakes: {
    self: {
      title: 'Myself, without a birth date',
      code: 'validation_error',
      pointers: ['/birth_date', '/relation'],
      json: { ...child, relation: 'self', birth_date: undefined },
    },
  },
  refusals: {
    unconfirmed: {
      title: 'Without the confirmation of a guardian',
      code: 'guardian_confirmation_required',
      json: { ...child, guardian_confirmed: false },
    },
    limit: {
      title: 'A 21st person',
      code: 'profile_limit',
      after: { mine: 'v1MobileListProfiles' },
      state: [
        `INSERT INTO patients (uuid, tenant_id, account_user_id, relation)
         SELECT gen_random_uuid(), tenant_id, account_user_id, 'child' FROM patients, generate_series(1, 20)
         WHERE uuid = '${mine}'`,
      ],
      json: child,
    },
    taken: {
      title: 'An external id that another profile has',
      code: 'external_id_taken',
      after: {
        mine: 'v1MobileListProfiles',
        first: { operation: 'v1MobileAddOffspring', json: { ...child, external_id: mine } },
      },
      json: { ...child, external_id: mine },
    },
    reused: {
      title: 'The key of another child',
      code: 'idempotency_key_reused',
      after: {
        first: {
          operation: 'v1MobileAddOffspring',
          headers: { 'idempotency-key': 'first-child' },
          json: child,
        },
      },
      headers: { 'idempotency-key': 'first-child' },
      json: { ...child, given_name: 'Tal' },
    },
  },
});
