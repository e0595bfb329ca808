import type { Profile } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { dayOnly } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Link } from '../../ui/link.tsx';
import { LinkPage } from '../../ui/link-page.tsx';
import { Loading } from '../../ui/loading.tsx';
import { accountTexts } from '../i18n/texts.ts';
import { AddPerson } from '../people/add-person.tsx';
import { personName } from '../people/person-name.ts';
import { AccountPage } from './account-page.tsx';
import { PersonForm } from './person-form.tsx';
import { SavedNotice } from './saved-notice.tsx';
import { useProfiles } from '../people/use-profiles.ts';

/** Children and others whom the account acts for. */
export function PeoplePage() {
  const { people } = accountTexts.value;
  const { profiles, failure, again, set } = useProfiles();
  const [added, setAdded] = useState<Profile>();
  const others = profiles?.filter(({ relation }) => relation !== 'self');
  return (
    <AccountPage title={people.title} lead={people.lead}>
      {profiles === undefined && failure === undefined && <Loading />}
      {failure !== undefined && <FailureNotice failure={failure} onRetry={again} />}
      {added !== undefined && <SavedNotice>{fill(people.added, { name: personName(added) })}</SavedNotice>}
      {others !== undefined && others.length === 0 && <p>{people.none}</p>}
      {others !== undefined && others.length > 0 && (
        <ul class="sections">
          {others.map((person) => (
            <li key={person.uuid}>
              <Link to={`/account/people/${person.uuid}`}>
                <strong>
                  <bdi>{personName(person)}</bdi>
                </strong>
                <span>{describe(person)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {profiles !== undefined && (
        <AddPerson
          onAdded={(profile, all) => {
            set(all);
            setAdded(profile);
          }}
        />
      )}
    </AccountPage>
  );
}

function describe({ relation, birth_date: born }: Profile): string {
  const words = relation === 'self' ? '' : texts.value.cases.relation[relation];
  return born === null ? words : `${words} · ${dayOnly(born)}`;
}

/** One of them. */
export function PersonPage({ uuid }: { uuid: string }) {
  const { people } = accountTexts.value;
  const { profiles, failure, again, replace } = useProfiles();
  const person = profiles?.find((each) => each.uuid === uuid && each.relation !== 'self');
  if (profiles !== undefined && person === undefined)
    return <LinkPage title={texts.value.common.pageNotFound} />;
  const parent = { to: '/account/people', label: people.title };
  return (
    <AccountPage title={person === undefined ? people.title : personName(person)} parent={parent}>
      {profiles === undefined && failure === undefined && <Loading />}
      {failure !== undefined && <FailureNotice failure={failure} onRetry={again} />}
      {person !== undefined && (
        <>
          <PersonForm profile={person} onSaved={replace} onConflict={again} />
          <p class="small">
            {people.remove} <Link to="/account/contact">{accountTexts.value.contact.title}</Link>
          </p>
        </>
      )}
    </AccountPage>
  );
}
