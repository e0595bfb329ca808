import type { User } from 'dermagate-client';
import { AccountArea, isAccountPath } from '../account/account-area.tsx';
import { texts } from '../i18n/language.ts';
import { path } from '../session/route.ts';
import { Frame } from '../ui/frame.tsx';
import { LinkPage } from '../ui/link-page.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { officeTexts } from './i18n/texts.ts';

/** Everything that an admin sees once signed in. */
export default function Office({ user }: { user: User }) {
  const { title } = officeTexts.value;
  return (
    <Frame wide links={[{ to: '/', label: title }]}>
      {path.value === '/' ? (
        <section class="card">
          <PageTitle about="office">{title}</PageTitle>
          <p class="small">{user.email}</p>
        </section>
      ) : isAccountPath(path.value) ? (
        <AccountArea user={user} />
      ) : (
        <LinkPage title={texts.value.common.pageNotFound} />
      )}
    </Frame>
  );
}
