import { listCursor, query, replaceQuery } from '../session/route.ts';

/**
 * The filters of a list, which stand in the address. A change begins at the first page again.
 * @param names of the filters; other members of the query go with a change.
 */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const read = () => {
    const entries = names.map((name) => [name, query.value.get(name) ?? '']);
    return Object.fromEntries(entries) as Record<Name, string>;
  };
  const values = read();
  return {
    values,
    cursor: listCursor.value,
    // As the address is by then: a text counts after a pause, in which another filter may have changed.
    set: (change: Partial<Record<Name, string>>) => replaceQuery({ ...read(), ...change }),
    isFiltered: names.some((name) => values[name] !== ''),
    clear: () => replaceQuery({}),
  };
}
