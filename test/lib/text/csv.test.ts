import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvText } from '../../../src/lib/text/csv.ts';

const read = (text: string) => parse(text, { bom: true, record_delimiter: '\r\n' }) as unknown;
const cell = (value: string | null) =>
  csvText(['name'], [[value]])
    .split('\r\n')
    .slice(1, -1)
    .join('\r\n');

test('the bytes begin with the mark by which Excel knows UTF-8, and every line ends as RFC 4180 has it', () => {
  const text = csvText(
    ['at', 'name'],
    [
      ['1', 'נועה'],
      ['2', null],
    ],
  );
  expect(text).toBe('\ufeff"at","name"\r\n"1","נועה"\r\n"2",""\r\n');
  expect(csvText(['at', 'name'], [])).toBe('\ufeff"at","name"\r\n');
});

test.each([
  ['a,b', '"a,b"'],
  ['a;b', '"a;b"'],
  ['she said "no"', '"she said ""no"""'],
  ['"', '""""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['two\nlines', '"two\nlines"'],
  [' padded ', '" padded "'],
  ['', '""'],
])('%j stands in quotes, its own doubled', (value, expected) => {
  expect(cell(value)).toBe(expected);
});

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\tplain',
  '\r=1',
  '\nplain',
  '\0=1',
  '  =1',
  '\u00a0=1',
  '\ufeff=1',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  '=cmd|\' /C calc\'!A0","x',
])('%j comes out as text', (value) => {
  expect(cell(value)).toMatch(/^"'/);
  const [, [text] = []] = read(csvText(['name'], [[value]])) as string[][];
  expect(text?.replaceAll("'", '')).toBe(value.replaceAll("'", ''));
});

test.each([
  ['Dr. A;=1+1', "Dr. A;'=1+1"],
  ['A; @SUM(A1)', "A;' @SUM(A1)"],
  ['A;"=1+1;', `A;'"=1+1;`],
  ['A\t-1', "A\t'-1"],
  ['A\n+1', "A\n'+1"],
  ['A;＝1', "A;'＝1"],
])('%j runs nothing where a semicolon or a tab parts the cells', (value, expected) => {
  expect(cell(value)).toBe(`"${expected.replaceAll('"', '""')}"`);
});

test.each(['a=1', '1-2', 'a,=1', 'a;b-1', 'x@example.org', "'quoted", '2026-01-01', '{"a":-1}', 'לוי'])(
  '%j is no formula and stays as it is',
  (value) => {
    expect(cell(value)).toBe(`"${value.replaceAll('"', '""')}"`);
  },
);

test('of any table another program reads the same cells, but for these marks', () => {
  const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
    fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: width, maxLength: width }), {
      minLength: 1,
    }),
  );
  fc.assert(
    fc.property(table, ([header = [], ...rows]) => {
      const names = header.map((_, index) => `column ${index}`);
      const given = [header, ...rows];
      const cells = read(csvText(names, given)) as string[][];
      expect(cells[0]).toEqual(names);
      const withoutMarks = (rows: string[][]) =>
        rows.map((row) => row.map((value) => value.replaceAll("'", '')));
      expect(withoutMarks(cells.slice(1))).toEqual(withoutMarks(given));
    }),
  );
});
