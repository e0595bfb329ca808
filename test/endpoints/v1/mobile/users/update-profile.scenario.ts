import { v1MobileUpdateProfile } from '../../../../../src/functions/v1/mobile/users/update-profile.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';

const own = {
  after: { mine: 'v1MobileListProfiles' },
  params: { uuid: '{{mine.response.body.profiles[0].uuid}}' },
  headers: { 'if-match': '"1"' },
};

export const updateProfileScenario = scenario({
  endpoint: v1MobileUpdateProfile,
  as: 'newcomer',
  good: {
    name: {
      title: 'States name and birth date',
      ...own,
      json: { given_name: 'Noa', family_name: 'Levi', birth_date: '1985-02-17', language: 'he' },
    },
    version_in_body: {
      title: 'With the version in the body',
      ...own,
      headers: {},
      json: { family_name: null, version: 1 },
    },
  },
  mistakes: {
    malformed: {
      title: 'A birth date in another form, and a language that does not exist',
      code: 'validation_error',
      pointers: ['/birth_date', '/language'],
      ...own,
      json: { birth_date: '17.02.1985', language: 'xx' },
    },
  },
  refusals: {
    unknown: {
      title: 'A profile of someone else',
      code: 'profile_not_found',
      ...own,
      params: { uuid: unknownId },
      json: { given_name: 'Noa' },
    },
  },
});
