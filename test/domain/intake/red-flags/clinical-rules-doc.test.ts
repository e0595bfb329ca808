import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { redFlagRules } from '../../../../src/domain/intake/red-flags/rules/red-flag-rules.ts';

const document = readFileSync(
  join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'clinical-rules.md'),
  'utf8',
);

const header = ['id', 'flag', 'urgency', 'key finding', 'further condition', 'source', 'text checked'];

const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** The rows of the tables that list rules, not of those that explain changes. */
function ruleRows(text: string): string[][] {
  let isRuleTable = false;
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('|')) {
      isRuleTable = false;
      return [];
    }
    const cells = cellsOf(line);
    if (cells.join() === header.join()) {
      isRuleTable = true;
      return [];
    }
    return isRuleTable && !line.startsWith('|---') ? [cells] : [];
  });
}

const rows = ruleRows(document);

describe('docs/clinical-rules.md', () => {
  test.each(redFlagRules)('$id stands in one row, with its flag, urgency and source', (rule) => {
    const own = rows.filter(([id]) => id === rule.id);
    expect(own.map(([id, flag, urgency, , , source]) => ({ id, flag, urgency, source }))).toEqual([
      { id: rule.id, flag: `\`${rule.flag}\``, urgency: rule.urgency, source: rule.source },
    ]);
  });

  test('no row lists a rule that does not exist', () => {
    const known = new Set(redFlagRules.map(({ id }) => id));
    expect(rows.map(([id = '']) => id).filter((id) => !known.has(id))).toEqual([]);
  });

  test('no sentence names a rule that does not exist', () => {
    const known = new Set(redFlagRules.map(({ id }) => id));
    expect((document.match(/RF\d+/g) ?? []).filter((id) => !known.has(id))).toEqual([]);
  });

  test('every row describes its findings and says whether the text was checked', () => {
    const isIncomplete = (cells: string[]) => cells.length !== header.length || cells.includes('');
    expect(rows.filter(isIncomplete)).toEqual([]);
  });

  test('it ends by saying that no physician has reviewed the rules', () => {
    expect(document.trimEnd().split('\n').at(-1)).toMatch(/^No physician has reviewed any of this/);
  });
});
