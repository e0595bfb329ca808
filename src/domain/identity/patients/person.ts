import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { Gender } from '../../intake/anamnesis/vocabulary/patient.ts';
import { ageInYears } from './age.ts';

export const Relation = z.enum(['self', 'child', 'ward', 'other']).meta({
  id: 'Relation',
  description: 'What the person is to the owner of the account.',
});
export type Relation = z.infer<typeof Relation>;

export const Person = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the profile.' }),
    display_name: z.string().nullable().meta({
      description: 'The name, else the clinic’s id, else a number; null once the person has been erased.',
    }),
    relation: Relation,
    age_years: z.int().nullable().meta({ description: 'Completed years; null without a birth date.' }),
    gender: Gender.nullable().meta({ description: 'Null until it is stated.' }),
    language: Language.nullable().meta({ description: 'Null where none was chosen.' }),
  })
  .meta({ id: 'Person', description: 'The person who is treated.' });
export type Person = z.infer<typeof Person>;

/** The columns of `patients` that a {@link Person} is made of. */
export interface PersonRow {
  id: number;
  uuid: string;
  relation: string;
  external_id: string | null;
  given_name: string | null;
  family_name: string | null;
  birth_date: string | null;
  gender: string | null;
  language: string | null;
  erased_at: Date | null;
}

export const personColumns = [
  'id',
  'uuid',
  'relation',
  'external_id',
  'given_name',
  'family_name',
  'birth_date',
  'gender',
  'language',
  'erased_at',
] as const satisfies readonly (keyof PersonRow)[];

/** @param now decides the age. */
export function toPerson(row: PersonRow, now: Date): Person {
  return {
    uuid: row.uuid,
    display_name: displayName(row),
    relation: Relation.parse(row.relation),
    age_years: row.birth_date === null ? null : ageInYears(row.birth_date, now),
    gender: Gender.nullable().parse(row.gender),
    language: Language.nullable().parse(row.language),
  };
}

function displayName(row: PersonRow): string | null {
  if (row.erased_at !== null) return null;
  const name = [row.given_name, row.family_name].filter((part) => part !== null).join(' ');
  return name || row.external_id || `Patient ${row.id}`;
}
