import { listProfiles } from '../../../../domain/identity/patients/list-profiles.ts';
import { Profiles } from '../../../../domain/identity/patients/profile.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1MobileListProfiles = endpoint({
  name: 'v1MobileListProfiles',
  method: 'GET',
  route: 'api/v1/mobile/users/profiles',
  tag: 'Profiles',
  summary: 'List the profiles of the account, the owner’s first',
  description:
    'The account of a patient has one profile of its owner and at most 20 of other people. Deactivated profiles are ' +
    'omitted.',
  auth: 'any',
  audit: 'none',
  reply: { status: 200, description: 'The caller’s own first.', body: Profiles },
  problems: [],
  async handler({ context, actor }) {
    return { profiles: await listProfiles(context, actor) };
  },
});
