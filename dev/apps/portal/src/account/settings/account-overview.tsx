import type { User } from 'dermagate-client';
import { Link } from '../../ui/link.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { accountTexts } from '../i18n/texts.ts';

/** Where each thing of the account is. */
export function AccountOverview({ user: { email, role } }: { user: User }) {
  const t = accountTexts.value;
  const isPatient = role === 'patient';
  const sections = [
    { to: '/account/profile', ...t.profile },
    ...(isPatient ? [{ to: '/account/people', ...t.people }] : []),
    { to: '/account/language', ...t.language },
    { to: '/account/notifications', ...t.notifications },
    { to: '/account/password', ...t.password },
    { to: '/account/devices', ...t.devices },
    { to: '/account/privacy', ...t.privacy },
    { to: '/account/contact', ...t.contact },
    { to: '/account/data', ...t.data },
  ];
  return (
    <section class="card account">
      <PageTitle about="account">{t.title}</PageTitle>
      <p class="lead" dir="auto">
        {email}
      </p>
      <ul class="sections">
        {sections.map(({ to, title, summary }) => (
          <li key={to}>
            <Link to={to}>
              <strong>{title}</strong>
              <span>{summary}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
