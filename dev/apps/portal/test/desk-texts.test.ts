import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ar } from '../src/desk/i18n/ar.ts';
import { en } from '../src/desk/i18n/en.ts';
import { es } from '../src/desk/i18n/es.ts';
import { he } from '../src/desk/i18n/he.ts';

const SOURCES = join(import.meta.dirname, '..', 'src', 'desk');
const dictionaries = { en, he, ar, es };

/** Every text by its path, such as `home.next`. */
const leaves = (value: object, path = ''): [string, string][] =>
  Object.entries(value).flatMap(([key, child]: [string, unknown]) =>
    typeof child === 'object' && child !== null
      ? leaves(child, `${path}${key}.`)
      : [[path + key, String(child)] as [string, string]],
  );

const english = leaves(en);
const placesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted();

describe.each(['he', 'ar', 'es'] as const)('%s', (language) => {
  const texts = new Map(leaves(dictionaries[language]));

  test('has every text of the desk, with its places', () => {
    expect([...texts.keys()]).toEqual(english.map(([path]) => path));
    for (const [path, text] of english)
      expect([path, placesIn(texts.get(path) ?? '')]).toEqual([path, placesIn(text)]);
  });

  test('is translated', () => {
    const alike = english.filter(
      ([path, text]) => texts.get(path) === text && path !== 'no' && !/^\W*\{/.test(text),
    );
    expect(alike.map(([path]) => path)).toEqual([]);
  });
});

test.each(Object.entries(dictionaries))('%s: no two parts of a case have one heading', (_, words) => {
  const { anamnesis, flags, ai, photos, history, answer, case: ofCase } = words;
  const headings = [
    ...Object.values(anamnesis.sections),
    ...[flags, ai, photos, history, answer, anamnesis].map(({ title }) => title),
    ofCase.messages,
  ];
  expect(headings.toSorted()).toEqual([...new Set(headings)].toSorted());
});

test('every text of the desk is used', () => {
  const code = globSync('**/*.{ts,tsx}', { cwd: SOURCES, exclude: ['i18n/**'] })
    .map((file) => readFileSync(join(SOURCES, file), 'utf8'))
    .join('\n');
  // Chosen by a value of the gateway, by a kind of list or by a reason of a check.
  const chosen =
    /^(?:problems|status|pending|triage|urgency|auditState|gender|relation|home\.waiting|filters\.(?:scopes|sorts)|case\.(?:releaseReasons|holdPhrase|reopenReasons)|ai\.confidence|photos\.kinds|history\.reasons|audit\.(?:agreements|score)|answer\.(?:certainty|actions|treatment|severities|agreement|save|problems|parts|contradictions\.codes)|anamnesis\.(?:fields|sections|years|months|weeks|ofTen|celsius|millimetres))/;
  const unused = english
    .map(([path]) => path)
    .filter((path) => !chosen.test(path))
    .filter((path) => {
      const name = path.split('.').at(-1) ?? '';
      return !new RegExp(`\\.${name}\\b|'${name}'|\\b${name}\\b[^;]*\\} = (?:deskTexts|words)`).test(code);
    });
  expect(unused).toEqual([]);
});
