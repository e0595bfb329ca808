import type { Person } from 'dermagate-client';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';

/** The name of a person, "Myself" for the owner of the account. */
export function personName({
  relation,
  display_name: name,
}: Pick<Person, 'relation' | 'display_name'>): string {
  return relation === 'self' ? texts.value.cases.myself : (name ?? '–');
}

/** For whom a case is. */
export function forWhom(person: Pick<Person, 'relation' | 'display_name'>): string {
  const { cases } = texts.value;
  return person.relation === 'self' ? cases.forMyself : fill(cases.forWhom, { name: personName(person) });
}
