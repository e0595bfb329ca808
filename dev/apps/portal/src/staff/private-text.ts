import { signal } from '@preact/signals';
import { onUserGone } from '../session/session.ts';

const PREFIX = 'dermagate.search.';

onUserGone(() => {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
});

/**
 * The text of a search for people, for this tab and this user: names and addresses must not stand in an address, which
 * servers log and browsers keep.
 * @param user UUID of the account that searches; another one begins with an empty text.
 */
export function privateText(name: string, user: string) {
  const key = `${PREFIX}${name}.${user}`;
  const text = signal(sessionStorage.getItem(key) ?? '');
  return {
    text,
    set(value: string) {
      text.value = value;
      sessionStorage.setItem(key, value);
    },
  };
}
