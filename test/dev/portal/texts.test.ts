import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chooseLanguage, dictionaries, fill, languages } from '../../../dev/portal/src/i18n/texts.ts';

const SOURCES = join(import.meta.dirname, '..', '..', '..', 'dev', 'portal', 'src');

/** Every text by its path, such as `intake.next`. */
function leaves(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, child]: [string, unknown]) =>
    typeof child === 'object' && child !== null
      ? leaves(child, `${path}${key}.`)
      : [[path + key, String(child)] as [string, string]],
  );
}

const english = leaves(dictionaries.en);
const placesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted();

describe.each(languages)('%s', (language) => {
  const texts = new Map(leaves(dictionaries[language]));

  test('has every text, in words', () => {
    expect([...texts.keys()].toSorted()).toEqual(english.map(([path]) => path).toSorted());
    const empty = [...texts].filter(([path, text]) => text.trim() === '' && path !== 'common.draftedTexts');
    expect(empty).toEqual([]);
  });

  test('has the places of the English text', () => {
    for (const [path, text] of english)
      expect([path, placesIn(texts.get(path) ?? '')]).toEqual([path, placesIn(text)]);
  });
});

test.each(languages.filter((language) => language !== 'en'))(
  '%s is translated, and says that nobody has reviewed it',
  (language) => {
    const texts = new Map(leaves(dictionaries[language]));
    expect(texts.get('common.draftedTexts')).not.toBe('');
    const alike = english.filter(
      ([path, text]) => texts.get(path) === text && !/^\W*\{|Dermagate|ICD/.test(text),
    );
    expect(alike.map(([path]) => path)).toEqual([]);
  },
);

test('every text is used', () => {
  const code = globSync('**/*.{ts,tsx}', { cwd: SOURCES, exclude: ['i18n/{en,he,ar,es}.ts'] })
    .map((file) => readFileSync(join(SOURCES, file), 'utf8'))
    .join('\n');
  // Chosen by a value of the gateway, or by a reason of a check.
  const chosen = /^(?:problems|fields|result\.(?:urgency|soon|confidence))\./;
  const unused = english
    .filter(([path]) => !chosen.test(path))
    .filter(([path]) => {
      const name = path.split('.').at(-1) ?? '';
      return !new RegExp(`\\.${name}\\b|'${name}'|\\b${name}\\b.*\\} = texts\\.value`).test(code);
    });
  expect(unused.map(([path]) => path)).toEqual([]);
});

test('the language is the first wanted one that there is, else English', () => {
  expect(chooseLanguage(['fr-CA', 'he-IL', 'en'])).toBe('he');
  expect(chooseLanguage(['AR'])).toBe('ar');
  expect(chooseLanguage(['fr', 'xx'])).toBe('en');
  expect(chooseLanguage([])).toBe('en');
});

test('values are put in as they are, isolated from the direction around them', () => {
  expect(fill('a {b} {c}', { b: '$&{c}' })).toBe('a \u2068$&{c}\u2069 {c}');
});

test('the layout knows neither left nor right, so that it turns with the language', () => {
  const physical =
    /(?<![\w-])(?:left|right|(?:margin|padding|border)-(?:left|right|top|bottom)|(?:min-|max-)?(?:width|height))\s*:|text-align:\s*(?:left|right)/gm;
  const sheets = globSync('styles/*.css', { cwd: SOURCES });
  expect(sheets.length).toBeGreaterThan(0);
  for (const sheet of sheets) {
    expect([sheet, readFileSync(join(SOURCES, sheet), 'utf8').match(physical)]).toEqual([sheet, null]);
  }
});
