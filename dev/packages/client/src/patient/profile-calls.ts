import type { CallOptions, KeyOptions } from '../call-options.ts';
import { type NamedCalls, withKey } from '../named-calls.ts';
import type { NewOffspring, OffspringList, ProfileChange } from '../schema.ts';

/** The people whom the account acts for. */
export function profileCalls({ get, post, patch }: NamedCalls) {
  return {
    /** The account owner's own profile first. */
    list: (options: CallOptions = {}) => get('/api/v1/mobile/users/profiles', {}, options),
    /** `version` is the one that was read. */
    update: (uuid: string, body: ProfileChange & { version: number }, options: CallOptions = {}) =>
      patch('/api/v1/mobile/users/profiles/{uuid}', { params: { path: { uuid } }, body }, options),
    /** Adds a child, a ward or another person. */
    addOffspring: (body: NewOffspring, options: KeyOptions = {}) =>
      post('/api/v1/mobile/users/offsprings', { params: { header: withKey(options) }, body }, options),
    /** @param technicalID the `external_id` of the account owner's own profile. */
    syncOffsprings: (technicalID: string, body: OffspringList, options: CallOptions = {}) =>
      post(
        '/api/v1/mobile/users/offsprings-v2/{technicalID}',
        { params: { path: { technicalID } }, body },
        options,
      ),
  };
}
