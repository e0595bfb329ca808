import { z } from 'zod';
import { RecordVersion } from '../../../contract/record-version.ts';
import { Language } from '../../../contract/language.ts';
import { shortText } from '../../../lib/schema/short-text.ts';
import { Gender, SexAtBirth } from '../../intake/anamnesis/vocabulary/patient.ts';
import { Person, type PersonRow, personColumns, Relation, toPerson } from './person.ts';

/** A part of a name. */
export const PersonName = shortText(80).meta({
  description: 'At most 80 characters, in any script.',
  examples: ['Noa'],
});

export const BirthDate = z.iso
  .date({ abort: true })
  .refine((text) => text >= '1900-01-01', { error: 'Must be a day since 1900.' })
  .meta({ description: 'Day of birth, `YYYY-MM-DD`.', examples: ['2019-04-30'] });

export const ExternalId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/)
  .meta({ description: 'The clinic’s id of the person.', examples: ['M-20417'] });

export const ProxyRelation = Relation.exclude(['self']).meta({
  id: 'ProxyRelation',
  description: 'What the person is to the owner of the account.',
});

/** A person as an account sees its own profiles. */
export const Profile = Person.extend({
  given_name: z.string().nullable().meta({ description: 'Null until it is stated.' }),
  family_name: z.string().nullable().meta({ description: 'Null until it is stated.' }),
  birth_date: z.string().nullable().meta({ description: '`YYYY-MM-DD`; null until it is stated.' }),
  sex_at_birth: SexAtBirth.nullable().meta({ description: 'Null until it is stated.' }),
  external_id: z.string().nullable().meta({ description: 'The clinic’s id of the person.' }),
  version: z.int().meta({ description: 'Incremented by each change; for `If-Match`.' }),
}).meta({
  id: 'Profile',
  description: 'The profile of the account’s owner, or of a person the account may act for.',
});
export type Profile = z.infer<typeof Profile>;

export const Profiles = z
  .object({ profiles: z.array(Profile).meta({ description: 'The owner of the account first.' }) })
  .meta({ id: 'Profiles', description: 'The profiles of an account.' });

export const ProfileChange = z
  .strictObject({
    given_name: PersonName.nullable().optional().meta({ description: 'Null removes it.' }),
    family_name: PersonName.nullable().optional().meta({ description: 'Null removes it.' }),
    birth_date: BirthDate.optional(),
    gender: Gender.optional(),
    sex_at_birth: SexAtBirth.optional(),
    language: Language.optional(),
    version: RecordVersion.optional().meta({ description: 'Of the profile; or send `If-Match`.' }),
  })
  .meta({ id: 'ProfileChange', description: 'Absent members are not changed.' });
export type ProfileChange = z.infer<typeof ProfileChange>;

export const NewOffspring = z
  .strictObject({
    given_name: PersonName.optional(),
    family_name: PersonName.optional(),
    birth_date: BirthDate,
    gender: Gender,
    relation: ProxyRelation,
    external_id: ExternalId.optional(),
    guardian_confirmed: z.boolean().optional().meta({
      description: '`true`: the caller confirms that they may decide for this person.',
    }),
  })
  .meta({ id: 'NewOffspring', description: 'A child, a ward or another person the account acts for.' });
export type NewOffspring = z.infer<typeof NewOffspring>;

export interface ProfileRow extends PersonRow {
  sex_at_birth: string | null;
  version: number;
}

export const profileColumns = [...personColumns, 'sex_at_birth', 'version'] as const;

export function toProfile(row: ProfileRow, now: Date): Profile {
  return {
    ...toPerson(row, now),
    given_name: row.given_name,
    family_name: row.family_name,
    birth_date: row.birth_date,
    sex_at_birth: SexAtBirth.nullable().parse(row.sex_at_birth),
    external_id: row.external_id,
    version: row.version,
  };
}
