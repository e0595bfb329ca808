import { z } from 'zod';
import { Profile, ProfileChange } from '../../../../domain/identity/patients/profile.schemas.ts';
import { updateProfile } from '../../../../domain/identity/patients/update-profile.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { expectedVersion, versionTag } from '../../../../lib/http/record-version.ts';

export const v1MobileUpdateProfile = endpoint({
  name: 'v1MobileUpdateProfile',
  method: 'PATCH',
  route: 'api/v1/mobile/users/profiles/{uuid}',
  tag: 'Profiles',
  summary: 'Change the names, birth date or language of a profile',
  description:
    'The language of the owner’s profile is also the language of mails to the account. Submitted cases retain the ' +
    'answers that they were submitted with.',
  auth: 'any',
  verifiedOnly: true,
  audit: { category: 'case', success: 'profile_updated', refusal: 'profile_updated' },
  reads: ['if-match'],
  sends: ['ETag'],
  params: z.object({ uuid: z.uuid().meta({ description: 'One of my profiles.' }) }),
  missing: 'profile_not_found',
  body: ProfileChange,
  reply: { status: 200, description: 'The profile as it is now.', body: Profile },
  problems: ['profile_not_found'],
  async handler({ context, actor, params: { uuid }, body: { version, ...change }, request, replyHeaders }) {
    const expected = expectedVersion(request.ifMatch, version);
    const profile = await updateProfile(context, actor, { ...change, uuid, version: expected });
    replyHeaders['etag'] = versionTag(profile.version);
    return profile;
  },
});
