import type { User } from 'dermagate-client';
import { useMemo } from 'preact/hooks';
import { privateText } from './private-text.ts';
import { useFilters } from './use-filters.ts';

/**
 * What a list of people is searched by: filters in the address, and a text that stays out of it.
 * @param name of the list.
 */
export function useSearch<Name extends string>(name: string, user: User, filters: readonly Name[]) {
  const { values, cursor, set, isFiltered, clear } = useFilters(filters);
  const typed = useMemo(() => privateText(name, user.uuid), [user.uuid]);
  const q = typed.text.value;
  const clearAll = () => {
    typed.set('');
    clear();
  };
  return {
    values,
    cursor,
    set,
    /** The text, without spaces around it. */
    q,
    setText(text: string) {
      typed.set(text.trim());
      set({});
    },
    /** Undefined while there is nothing to clear. */
    onClear: isFiltered || q !== '' ? clearAll : undefined,
  };
}
