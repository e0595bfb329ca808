import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dialString } from '../src/ui/dial-string.ts';
import { ar as accountAr } from '../src/account/i18n/ar.ts';
import { en as accountEn } from '../src/account/i18n/en.ts';
import { es as accountEs } from '../src/account/i18n/es.ts';
import { he as accountHe } from '../src/account/i18n/he.ts';
import { chooseLanguage, dictionaries as common, fill, languages } from '../src/i18n/texts.ts';
import { sheetDictionaries } from '../src/patient/sheet/i18n/texts.ts';

/** With those that are loaded with their pages. */
const dictionaries = {
  en: { ...common.en, settings: accountEn, sheet: sheetDictionaries.en },
  he: { ...common.he, settings: accountHe, sheet: sheetDictionaries.he },
  ar: { ...common.ar, settings: accountAr, sheet: sheetDictionaries.ar },
  es: { ...common.es, settings: accountEs, sheet: sheetDictionaries.es },
};

const SOURCES = join(import.meta.dirname, '..', 'src');

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
      ([path, text]) => texts.get(path) === text && !/^\W*\{|Dermagate|ICD|^No$/.test(text),
    );
    expect(alike.map(([path]) => path)).toEqual([]);
  },
);

/** What no text may claim: that the photo is looked at, that a doctor will act, that a care team reads it. */
const claims: Readonly<Record<(typeof languages)[number], RegExp>> = {
  en: /looking at|look(?:s|ed)? at (?:the|your) photo|will look at|care team|doctor will|kept for|(?:rather|fairly) certain|the most likely/i,
  he: /בוחנים|הצוות המטפל|רופא יבדוק|ודאות|הסבירה ביותר/,
  ar: /النظر في الصورة|فريق الرعاية|سينظر|مؤكد نسبيًا|الأرجح/,
  es: /mirando|equipo médico|un médico lo (?:verá|mirará)|seguro'|muy seguro|más probable/i,
};

test.each(languages)('%s claims nothing that the software does not do', (language) => {
  const claimed = leaves(dictionaries[language]).filter(([, text]) => claims[language].test(text));
  expect(claimed).toEqual([]);
});

test('in Spanish a time by which something must happen is not one after which it may', () => {
  const files = globSync('**/i18n/**/es.ts', { cwd: SOURCES });
  expect(files.length).toBeGreaterThan(5);
  const after = /(?<!últimas )\ben (?:24 horas|(?:2|dos) semanas)/gi;
  const found = files.flatMap((file) => readFileSync(join(SOURCES, file), 'utf8').match(after) ?? []);
  expect(found).toEqual([]);
});

test('in Arabic a warning says not to wait, and not that there is no need to', () => {
  expect(common.ar.result.nextWorse).toContain('فلا تنتظر');
  expect(common.ar.cases.worse).toContain('فلا تنتظر');
});

test('"you" is the person who answers: no text says whose skin, body, photo or illness it is', () => {
  const owned =
    /\byour (?:skin|body|photo|child|doctor|assessment|age|symptom)|you feel|you are ill|if you have/i;
  expect(english.filter(([, text]) => owned.test(text))).toEqual([]);
});

test('the texts are those that a native speaker expects', () => {
  const { result } = dictionaries.en;
  expect(result.reasons).toBe('Why we say this');
  expect(result.soonTitle).toBe('How urgent it is');
  expect(result.emergencyLead).toBe('We stopped here because your answers need urgent attention.');
});

test('no text calls a photo with remarks good', () => {
  for (const language of languages) {
    const { photo } = dictionaries[language];
    expect(photo.usable).not.toContain(photo.good);
    expect(new Set([photo.good, photo.usable, photo.unusable]).size).toBe(3);
  }
});

test.each([
  ['112', '112'],
  ['+972 4 000-0000', '+97240000000'],
  ['(0)30 / 12', '03012'],
])('%s is dialled as %s', (number, dialled) => {
  expect(dialString(number)).toBe(dialled);
});

test('every text is used', () => {
  const code = globSync('**/*.{ts,tsx}', { cwd: SOURCES, exclude: ['i18n/{en,he,ar,es}.ts'] })
    .map((file) => readFileSync(join(SOURCES, file), 'utf8'))
    .join('\n');
  // Chosen by a value of the gateway, or by a reason of a check.
  const chosen =
    /^(?:problems|fields|result\.(?:urgency|soon|confidence|fit)|cases\.(?:status|next|asked|relation|genders)|folder\.soon|sheet)\./;
  const unused = english
    .filter(([path]) => !chosen.test(path))
    .filter(([path]) => {
      const name = path.split('.').at(-1) ?? '';
      return !new RegExp(`\\.${name}\\b|'${name}'|\\b${name}\\b.*\\} = texts\\.value`).test(code);
    });
  expect(unused.map(([path]) => path)).toEqual([]);
});

test('the language is the first supported preference, else English', () => {
  expect(chooseLanguage(['fr-CA', 'he-IL', 'en'])).toBe('he');
  expect(chooseLanguage(['AR'])).toBe('ar');
  expect(chooseLanguage(['fr', 'xx'])).toBe('en');
  expect(chooseLanguage([])).toBe('en');
});

test('values are inserted unchanged, isolated from the surrounding text direction', () => {
  expect(fill('a {b} {c}', { b: '$&{c}' })).toBe('a \u2068$&{c}\u2069 {c}');
});

test('the layout uses neither left nor right, so that it follows the direction of the language', () => {
  const physical =
    /(?<![\w-])(?:left|right|(?:margin|padding|border)-(?:left|right|top|bottom)|(?:min-|max-)?(?:width|height))\s*:|text-align:\s*(?:left|right)/gm;
  const sheets = globSync('styles/*.css', { cwd: SOURCES });
  expect(sheets.length).toBeGreaterThan(0);
  for (const sheet of sheets) {
    expect([sheet, readFileSync(join(SOURCES, sheet), 'utf8').match(physical)]).toEqual([sheet, null]);
  }
});
