import { callers, cellWords } from '../../../test/endpoints/access/callers.ts';
import type { NamedScenario } from '../../../test/endpoints/read-scenarios.ts';
import { markdownTable } from './docs-tables.ts';

/** Who gets what in the back office, from the rows of the scenarios, by the names in their markers. */
export function accessTables(scenarios: readonly NamedScenario[]): Record<string, string> {
  const names = Object.keys(callers);
  const rows = scenarios.flatMap(({ name, access = {} }) =>
    Object.entries(access).map(([title, { cells }]) => [`\`${name}\``, title, ...cells.split(' ')]),
  );
  return {
    'access-callers': markdownTable(
      ['Caller', 'Who'],
      Object.entries(callers).map(([name, who]) => [`\`${name}\``, who]),
    ),
    'access-words': markdownTable(
      ['Cell', 'Refused with'],
      Object.entries(cellWords).map(([code, word]) => [`\`${word}\``, `\`${code}\``]),
    ),
    access: markdownTable(['Function', 'Request', ...names], rows),
  };
}
