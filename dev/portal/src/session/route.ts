import { signal } from '@preact/signals';

/** The path of the address bar; components that read it follow it. */
export const path = signal(location.pathname);

export function go(to: string): void {
  if (to === path.value) return;
  history.pushState(null, '', to);
  path.value = location.pathname;
  scrollTo(0, 0);
}

export function watchRoute(): void {
  addEventListener('popstate', () => (path.value = location.pathname));
}

/**
 * The token in the link of a mail, `#token=…`. It is taken out of the address bar, so that it stays neither in the
 * history nor on a screenshot.
 */
export function takeLinkToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
  if (token !== undefined) history.replaceState(null, '', location.pathname);
  return token;
}
