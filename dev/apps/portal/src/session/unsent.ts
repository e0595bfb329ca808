import { type Signal, signal } from '@preact/signals';
import { onUserGone, session } from './session.ts';

interface Unsent {
  entry: Signal<unknown>;
  owner: string | undefined;
  discard: () => void;
}

const unsent = new Map<string, Unsent>();

// A user whose session has ended may sign in again: what was typed until then exists only here.
onUserGone((except) => {
  for (const [key, { owner, discard }] of unsent) {
    if (except !== undefined && except.uuid === owner) continue;
    discard();
    unsent.delete(key);
  }
});

/**
 * An entry of this user that outlives its page and the session, in memory only. The page puts `empty` in its place once it
 * is sent.
 * @param about what the entry belongs to, such as the reply to a case; always with values of the same type.
 * @param release frees the resources of the entry when its user is gone.
 */
export function unsentOf<Entry>(
  about: string,
  empty: Entry,
  release: (entry: Entry) => void = () => {},
): Signal<Entry> {
  const now = session.peek();
  const owner = now.state === 'signed-in' ? now.user.uuid : undefined;
  const key = JSON.stringify([owner, about]);
  const known = unsent.get(key);
  if (known !== undefined) return known.entry as Signal<Entry>;
  const entry = signal(empty);
  const discard = () => {
    release(entry.peek());
    entry.value = empty;
  };
  unsent.set(key, { entry: entry as Signal<unknown>, owner, discard });
  return entry;
}
