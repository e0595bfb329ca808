import { v1MobileSyncOffsprings } from '../../../../../src/functions/v1/mobile/users/sync-offsprings.ts';
import { scenario } from '../../../scenario.ts';

const mine = '{{mine.response.body.profiles[0].uuid}}';
const known = {
  after: {
    mine: 'v1MobileListProfiles',
    // The clinic knows the account by an id; here by that of the profile.
    known: {
      operation: 'v1BackofficeUpdatePatient',
      as: 'admin' as const,
      params: { uuid: mine },
      headers: { 'if-match': '"{{mine.response.body.profiles[0].version}}"' },
      json: { external_id: mine },
    },
  },
  params: { technicalID: mine },
};
const child = (externalId: string) => ({
  external_id: externalId,
  given_name: 'Dan',
  birth_date: '2019-04-30',
  gender: 'male',
  relation: 'child',
});

export const syncOffspringsScenario = scenario({
  endpoint: v1MobileSyncOffsprings,
  as: 'newcomer',
  good: {
    child: {
      title: 'A child whom the clinic knows',
      ...known,
      json: { profiles: [child(`C-${mine}`)] },
    },
    nobody: {
      title: 'Nobody any more',
      ...known,
      json: { profiles: [], deactivate_missing: true },
    },
  },
  mistakes: {
    twice: {
      title: 'One id twice',
      code: 'validation_error',
      pointers: ['/profiles/1/external_id'],
      ...known,
      json: { profiles: [child('C-1'), child('C-1')] },
    },
  },
  refusals: {
    taken: {
      title: 'The external id of another profile',
      code: 'external_id_taken',
      ...known,
      json: { profiles: [child(mine)] },
    },
    limit: {
      title: 'A 21st person',
      code: 'profile_limit',
      ...known,
      state: [
        `INSERT INTO patients (uuid, tenant_id, account_user_id, relation)
         SELECT gen_random_uuid(), tenant_id, account_user_id, 'child' FROM patients, generate_series(1, 20)
         WHERE uuid = '${mine}'`,
      ],
      json: { profiles: [child(`C-${mine}`)] },
    },
  },
});
