import type { User } from 'dermagate-client';
import { texts } from '../../i18n/language.ts';
import { matchPath, path } from '../../session/route.ts';
import '../../styles/account.css';
import { LinkPage } from '../../ui/link-page.tsx';
import { AccountOverview } from './account-overview.tsx';
import { ContactPage } from './contact-page.tsx';
import { DataPage } from './data-page.tsx';
import { DevicesPage } from './devices-page.tsx';
import { LanguagePage } from './language-page.tsx';
import { NotificationsPage } from './notifications-page.tsx';
import { PasswordPage } from './password-page.tsx';
import { PeoplePage, PersonPage } from './people-page.tsx';
import { PrivacyPage } from './privacy-page.tsx';
import { ProfilePage } from './profile-page.tsx';

/** The account of the signed-in user: an overview, and one page for each thing. */
export default function AccountPages({ user }: { user: User }) {
  const person = matchPath<'uuid'>('/account/people/:uuid');
  if (person !== undefined) return <PersonPage key={person.uuid} uuid={person.uuid} />;
  switch (path.value) {
    case '/account':
      return <AccountOverview user={user} />;
    case '/account/profile':
      return <ProfilePage user={user} />;
    case '/account/people':
      return <PeoplePage />;
    case '/account/language':
      return <LanguagePage user={user} />;
    case '/account/password':
      return <PasswordPage />;
    case '/account/devices':
      return <DevicesPage />;
    case '/account/notifications':
      return <NotificationsPage />;
    case '/account/privacy':
      return <PrivacyPage />;
    case '/account/contact':
      return <ContactPage user={user} />;
    case '/account/data':
      return <DataPage />;
    default:
      return <LinkPage title={texts.value.common.pageNotFound} />;
  }
}
