import type { User } from 'dermagate-client';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { accountTexts } from '../i18n/texts.ts';
import { AccountPage } from './account-page.tsx';
import { PersonForm } from './person-form.tsx';
import { useProfiles } from '../people/use-profiles.ts';
import { Link } from '../../ui/link.tsx';
import { texts } from '../../i18n/language.ts';

/** What the service knows of the owner of the account. */
export function ProfilePage({ user }: { user: User }) {
  const t = accountTexts.value;
  return (
    <AccountPage title={t.profile.title} lead={t.profile.lead}>
      <dl class="facts">
        <dt>{texts.value.account.email}</dt>
        <dd dir="auto">{user.email}</dd>
        <dt>{t.profile.address}</dt>
        <dd>
          {user.is_verified ? (
            t.profile.confirmed
          ) : (
            <>
              {t.profile.unconfirmed} <Link to="/verify-email">{texts.value.account.newLinkTitle}</Link>
            </>
          )}
        </dd>
        <dt>{t.profile.role}</dt>
        <dd>{t.roles[user.role]}</dd>
      </dl>
      {user.role === 'patient' ? <OwnProfile /> : <p>{t.profile.staff}</p>}
    </AccountPage>
  );
}

function OwnProfile() {
  const { profiles, failure, again, replace } = useProfiles();
  const own = profiles?.find(({ relation }) => relation === 'self');
  return (
    <>
      {profiles === undefined && failure === undefined && <Loading />}
      {failure !== undefined && <FailureNotice failure={failure} onRetry={again} />}
      {own !== undefined && <PersonForm profile={own} onSaved={replace} onConflict={again} />}
    </>
  );
}
