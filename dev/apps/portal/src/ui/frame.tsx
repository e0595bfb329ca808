import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../i18n/language.ts';
import { path } from '../session/route.ts';
import { session, signOut } from '../session/session.ts';
import { InfoIcon, LogoIcon } from './icons.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { Link } from './link.tsx';

export interface FrameLink {
  to: string;
  label: string;
  /** How many things wait there, after the label. */
  count?: number | undefined;
}

interface FrameProps {
  children: ComponentChildren;
  /** The main places of an area; the account, which every role has, comes after them. */
  links?: readonly FrameLink[];
  /** Lists and tables use the whole width of a desktop; texts are easier to read in a column. */
  wide?: boolean;
}

/** Header and footer of every page. */
export function Frame({ children, links = [], wide = false }: FrameProps) {
  const { account, common } = texts.value;
  const isSignedIn = session.value.state === 'signed-in';
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
          {isSignedIn && (
            <button type="button" class="secondary outline" onClick={() => void signOut()}>
              {account.signOut}
            </button>
          )}
        </div>
      </header>
      {isSignedIn && <Places links={[...links, { to: '/account', label: account.title }]} />}
      <main id="content" class={wide ? 'wide' : undefined} tabIndex={-1}>
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

function Places({ links }: { links: readonly FrameLink[] }) {
  const places = useRef<HTMLElement>(null);
  // On a phone the places are wider than the screen: the current one is shown.
  useEffect(() => {
    const current = places.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [path.value]);
  return (
    <nav ref={places} class="places" aria-label={texts.value.common.places}>
      <ul>
        {links.map(({ to, label, count }) => (
          <li key={to}>
            <Link to={to} current={isWithin(to)}>
              {label}
              {count !== undefined && <span class="count">{count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The start page contains no other. */
const isWithin = (to: string): boolean =>
  to === path.value || (to !== '/' && path.value.startsWith(`${to}/`));
