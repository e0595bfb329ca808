import { query, replaceQuery } from '../session/route.ts';

/**
 * The filters of a list, which stand in the address. A change begins at the first page again.
 * @param names of the filters; other members of the query, such as the page, go with a change.
 */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const entries = names.map((name) => [name, query.value.get(name) ?? '']);
  const values = Object.fromEntries(entries) as Record<Name, string>;
  return {
    values,
    cursor: query.value.get('cursor') ?? undefined,
    set: (change: Partial<Record<Name, string>>) => replaceQuery({ ...values, ...change }),
    isFiltered: names.some((name) => values[name] !== ''),
    clear: () => replaceQuery({}),
  };
}
