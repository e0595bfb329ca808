import { z } from 'zod';
import { ExternalId } from '../../../../domain/identity/patients/profile.schemas.ts';
import { OffspringList, SyncedProfiles } from '../../../../domain/identity/patients/sync.schemas.ts';
import { syncOffsprings } from '../../../../domain/identity/patients/sync-offsprings.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1MobileSyncOffsprings = endpoint({
  name: 'v1MobileSyncOffsprings',
  method: 'POST',
  route: 'api/v1/mobile/users/offsprings-v2/{technicalID}',
  tag: 'Profiles',
  summary: 'Synchronise the profiles of other people with the clinic’s list',
  description:
    'By external id, known profiles are updated and new ones are added; with `deactivate_missing`, profiles that the ' +
    'list does not contain are deactivated, and their cases do not change. Sending the same list again changes ' +
    'nothing. Profiles without an external id are not affected. An account has at most 100 profiles of other people, ' +
    'deactivated ones included.',
  auth: 'any',
  verifiedOnly: true,
  audit: { category: 'case', success: 'profile_synced', refusal: 'profile_synced' },
  params: z.object({
    technicalID: ExternalId.meta({ description: 'The external id of the caller’s own profile.' }),
  }),
  missing: 'profile_not_found',
  body: OffspringList,
  reply: { status: 200, description: 'The profiles as they are now.', body: SyncedProfiles },
  problems: ['profile_not_found', 'profile_limit', 'external_id_taken'],
  async handler({ context, actor, params, body }) {
    return await syncOffsprings(context, actor, params.technicalID, body);
  },
});
