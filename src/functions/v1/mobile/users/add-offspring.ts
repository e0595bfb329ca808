import { z } from 'zod';
import { addOffspring } from '../../../../domain/identity/patients/add-offspring.ts';
import { NewOffspring, Profile } from '../../../../domain/identity/patients/profile.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

const AddedOffspring = z
  .object({
    profile: Profile,
    profiles: z.array(Profile).meta({ description: 'All profiles in use, the caller’s own first.' }),
  })
  .meta({ id: 'AddedOffspring', description: 'The new profile, and all of the account.' });

export const v1MobileAddOffspring = endpoint({
  name: 'v1MobileAddOffspring',
  method: 'POST',
  route: 'api/v1/mobile/users/offsprings',
  tag: 'Profiles',
  summary: 'Add a profile of a child, a ward or another person',
  description:
    'At most 20. The person has no login; the account acts for them, and confirms its right to do so with ' +
    '`guardian_confirmed`. With an `Idempotency-Key`, a retry within 24 hours gets the first reply, marked ' +
    '`Idempotency-Replayed: true`.',
  auth: 'any',
  verifiedOnly: true,
  audit: { category: 'case', success: 'profile_created', refusal: 'profile_created' },
  reads: ['idempotency-key'],
  sends: ['Idempotency-Replayed'],
  body: NewOffspring,
  reply: { status: 201, description: 'The person has a profile.', body: AddedOffspring },
  problems: ['guardian_confirmation_required', 'profile_limit', 'external_id_taken'],
  async handler({ context, actor, body, replyHeaders }) {
    const { reply, replayed } = await addOffspring(context, actor, body);
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    return reply;
  },
});
