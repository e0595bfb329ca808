import { go, path } from '../../session/route.ts';

/** `id` of the field. */
export const SEARCH_TEXT = 'search-text';

let isAwaited = false;

/** Opens the search, from any page, with the focus in its field. */
export function openSearch(): void {
  if (path.value === '/search') return document.getElementById(SEARCH_TEXT)?.focus();
  isAwaited = true;
  go('/search');
}

/** For the field as it appears, after the title of its page, which takes the focus: whether it was opened to be typed into. */
export function isSearchAwaited(): boolean {
  const was = isAwaited;
  isAwaited = false;
  return was;
}
