import type { ComponentChildren } from 'preact';
import { texts } from '../i18n/language.ts';
import { session, signOut } from '../session/session.ts';
import { InfoIcon, LogoIcon } from './icons.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { Link } from './link.tsx';

/** Header and footer of every page. */
export function Frame({ children }: { children: ComponentChildren }) {
  const { account, common } = texts.value;
  return (
    <>
      <a class="skip-link" href="#content">
        {common.skipToContent}
      </a>
      <header class="top">
        <Link to="/">
          <LogoIcon />
          <span class="name">
            <strong>{common.product}</strong>
            <span class="tagline">{common.tagline}</span>
          </span>
        </Link>
        <div class="tools">
          <LanguageSwitch />
          {session.value.state === 'signed-in' && (
            <button type="button" class="secondary outline" onClick={signOut}>
              {account.signOut}
            </button>
          )}
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer class="bottom">
        <p>
          <InfoIcon />
          <span>
            {common.disclaimer} {common.draftedTexts}
          </span>
        </p>
      </footer>
    </>
  );
}
