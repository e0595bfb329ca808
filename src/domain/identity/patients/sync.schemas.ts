import { z } from 'zod';
import { Gender } from '../../intake/anamnesis/vocabulary/patient.ts';
import { BirthDate, ExternalId, PersonName, Profile, ProxyRelation } from './profile.schemas.ts';

const SyncedOffspring = z
  .strictObject({
    external_id: ExternalId,
    given_name: PersonName.optional(),
    family_name: PersonName.optional(),
    birth_date: BirthDate,
    gender: Gender,
    relation: ProxyRelation,
  })
  .meta({ id: 'SyncedOffspring', description: 'A person in the clinic’s list.' });
export type SyncedOffspring = z.infer<typeof SyncedOffspring>;

export const OffspringList = z
  .strictObject({
    profiles: z
      .array(SyncedOffspring)
      .max(20)
      .superRefine((profiles, context) => {
        const seen = new Set<string>();
        for (const [at, { external_id: id }] of profiles.entries()) {
          if (seen.has(id)) {
            const message = 'Is the external_id of another entry.';
            context.addIssue({
              code: 'custom',
              path: [at, 'external_id'],
              message,
              params: { code: 'duplicate' },
            });
          }
          seen.add(id);
        }
      })
      .meta({ description: 'All people the account may act for, with distinct external ids.' }),
    deactivate_missing: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether profiles with an external id that is not listed are deactivated.' }),
  })
  .meta({
    id: 'OffspringList',
    description: 'The clinic’s list of the people the account may act for.',
  });
export type OffspringList = z.infer<typeof OffspringList>;

export const SyncedProfiles = z
  .object({
    profiles: z.array(Profile).meta({ description: 'All profiles in use, the caller’s own first.' }),
    created: z.int().meta({ description: 'Profiles that were added.' }),
    updated: z.int().meta({ description: 'Profiles that were changed or reactivated.' }),
    deactivated: z.int().meta({ description: 'Profiles that were deactivated.' }),
  })
  .meta({ id: 'SyncedProfiles', description: 'The changes made by the synchronisation.' });
export type SyncedProfiles = z.infer<typeof SyncedProfiles>;
