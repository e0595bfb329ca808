import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { session } from './session.ts';
import { unsentOf } from './unsent.ts';

/**
 * As `useState`, for the entries of a form: they are here again when their user signs in after the session has ended. Leaving
 * the page gives them up, because a form that is opened later shows what is stored.
 * @param about the form, such as the group that it is about; always with values of the same type.
 */
export function useEntries<Entries>(about: string, begin: () => Entries) {
  const interrupted = useMemo(
    () => unsentOf<{ entries: Entries } | undefined>(`entries ${about}`, undefined),
    [about],
  );
  const [entries, set] = useState(() => interrupted.peek()?.entries ?? begin());
  const latest = useRef(entries);
  latest.current = entries;
  useLayoutEffect(() => {
    interrupted.value = undefined;
    return () => {
      const now = session.peek();
      if (now.state === 'signed-out' && now.lost) interrupted.value = { entries: latest.current };
    };
  }, []);
  return [entries, set] as const;
}
