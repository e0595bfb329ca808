import type { User } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { AccountArea, isAccountPath } from '../account/account-area.tsx';
import { texts } from '../i18n/language.ts';
import { go, matchPath, path } from '../session/route.ts';
import '../styles/desk.css';
import { Frame } from '../ui/frame.tsx';
import { LinkPage } from '../ui/link-page.tsx';
import { CasePage } from './case/case-page.tsx';
import { DeskHome } from './home/home.tsx';
import { deskTexts } from './i18n/texts.ts';
import { KeyList } from './keys/key-list.tsx';
import { useKeys } from './keys/use-keys.ts';
import { Notices } from './live/notices.tsx';
import { openSearch } from './search/open-search.ts';
import { SearchPage } from './search/search-page.tsx';
import { SettingsPage } from './settings/settings-page.tsx';

/** Everything that a physician sees once signed in; admins see the search and the cases. */
export default function Desk({ user }: { user: User }) {
  const words = deskTexts.value;
  const isPhysician = user.role === 'physician';
  const [showsKeys, setShowsKeys] = useState(false);
  useKeys([
    { press: '?', label: words.keys.help, run: () => setShowsKeys(true) },
    { press: 'g', label: words.keys.desk, run: () => go('/') },
    { press: '/', label: words.keys.search, run: openSearch },
    {
      press: 'Escape',
      label: words.keys.leave,
      inFields: true,
      run: () => (document.activeElement as HTMLElement | null)?.blur(),
    },
  ]);
  const links = [
    { to: '/', label: isPhysician ? words.title : words.office },
    { to: '/search', label: words.search },
    ...(isPhysician ? [{ to: '/settings', label: words.settings }] : []),
  ];
  return (
    <Frame wide links={links}>
      <div class="desk">
        {isPhysician && <Notices />}
        <DeskPage user={user} />
        <p class="keys-hint">
          <button type="button" class="bare" onClick={() => setShowsKeys(true)}>
            {words.keys.open} <kbd aria-hidden="true">?</kbd>
          </button>
        </p>
        {showsKeys && <KeyList onClose={() => setShowsKeys(false)} />}
      </div>
    </Frame>
  );
}

function DeskPage({ user }: { user: User }) {
  const uuid = matchPath<'uuid'>('/cases/:uuid')?.uuid;
  const isPhysician = user.role === 'physician';
  if (uuid !== undefined) return <CasePage key={uuid} uuid={uuid} user={user} />;
  if (path.value === '/search') return <SearchPage isAdmin={!isPhysician} />;
  if (isAccountPath(path.value)) return <AccountArea user={user} />;
  if (isPhysician && path.value === '/') return <DeskHome />;
  if (isPhysician && path.value === '/settings') return <SettingsPage />;
  return <LinkPage title={texts.value.common.pageNotFound} />;
}
