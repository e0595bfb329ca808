import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languages } from '../src/i18n/texts.ts';
import { ar as officeAr } from '../src/office/i18n/ar.ts';
import { en as officeEn } from '../src/office/i18n/en.ts';
import { es as officeEs } from '../src/office/i18n/es.ts';
import { he as officeHe } from '../src/office/i18n/he.ts';
import { ar as staffAr } from '../src/staff/i18n/ar.ts';
import { en as staffEn } from '../src/staff/i18n/en.ts';
import { es as staffEs } from '../src/staff/i18n/es.ts';
import { he as staffHe } from '../src/staff/i18n/he.ts';

const SOURCES = join(import.meta.dirname, '..', 'src');
const dictionaries = {
  office: { en: officeEn, he: officeHe, ar: officeAr, es: officeEs },
  staff: { en: staffEn, he: staffHe, ar: staffAr, es: staffEs },
};

/** Every text by its path, such as `trail.kinds.case_uuid`. */
function leaves(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, child]: [string, unknown]) =>
    typeof child === 'object' && child !== null
      ? leaves(child, `${path}${key}.`)
      : [[path + key, String(child)] as [string, string]],
  );
}

const placesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted();

describe.each(['office', 'staff'] as const)('texts of %s', (area) => {
  const english = leaves(dictionaries[area].en);

  test.each(languages)('%s has every text, in words, with the places of the English one', (language) => {
    const texts = new Map(leaves(dictionaries[area][language]));
    expect([...texts.keys()].toSorted()).toEqual(english.map(([path]) => path).toSorted());
    for (const [path, text] of english) {
      const translated = texts.get(path) ?? '';
      expect([path, translated.trim() === '']).toEqual([path, false]);
      expect([path, placesIn(translated)]).toEqual([path, placesIn(text)]);
    }
  });

  test.each(languages.filter((language) => language !== 'en'))('%s is translated', (language) => {
    const texts = new Map(leaves(dictionaries[area][language]));
    const alike = english.filter(([path, text]) => texts.get(path) === text).map(([path]) => path);
    expect(alike.filter((path) => path !== 'no')).toEqual([]);
  });

  test('every text is used', () => {
    const code = globSync('**/*.{ts,tsx}', { cwd: SOURCES, exclude: ['**/i18n/**/{en,he,ar,es}.ts'] })
      .map((file) => readFileSync(join(SOURCES, file), 'utf8'))
      .join('\n');
    // Chosen by a value of the gateway.
    const chosen =
      /(?:^|\.)(?:problems|roles|triage|aiStates|capability|refused|visibilities|ranks|sets|keys|options|kinds|categories|outcomes|actors|\w+Means)\./;
    const unused = english
      .map(([path]) => path)
      .filter((path) => !chosen.test(path))
      .filter((path) => !new RegExp(`\\b${path.split('.').at(-1)}\\b`).test(code));
    expect(unused).toEqual([]);
  });
});

test('each parameter that the gateway knows has a name in words', async () => {
  const { parameterSchemas } =
    await import('../../../../src/domain/platform/parameters/parameter-schemas.ts');
  const { sets, keys } = officeEn.parameters;
  expect(Object.keys(sets).toSorted()).toEqual(Object.keys(parameterSchemas).toSorted());
  const known = Object.values(parameterSchemas).flatMap((schema) => Object.keys(schema.shape));
  expect(known.filter((key) => !(key in keys))).toEqual([]);
});

test('a parameter has a remark in its name, in every language, as long as nothing reads it', async () => {
  const { parameterSchemas } =
    await import('../../../../src/domain/platform/parameters/parameter-schemas.ts');
  const gateway = join(SOURCES, '..', '..', '..', '..', 'src');
  const code = [
    ...globSync('**/*.ts', { cwd: gateway, exclude: ['**/parameter-schemas.ts'] }).map((file) =>
      join(gateway, file),
    ),
    ...globSync('**/*.{ts,tsx}', { cwd: SOURCES, exclude: ['**/i18n/**'] }).map((file) =>
      join(SOURCES, file),
    ),
  ]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const isRead = (key: string) => new RegExp(`\\b${key}\\b`).test(code);
  // The legal basis is a note, and has no effect by its nature.
  const known = Object.values(parameterSchemas).flatMap((schema) => Object.keys(schema.shape));
  const unread = known.filter((key) => key !== 'legal_basis' && !isRead(key));
  const remarks = {
    en: 'no effect yet',
    he: 'עדיין ללא השפעה',
    ar: 'بلا أثر حتى الآن',
    es: 'aún sin efecto',
  };
  for (const language of languages) {
    const keys: Record<string, string> = dictionaries.office[language].parameters.keys;
    const remarked = known.filter((key) => keys[key]?.endsWith(` (${remarks[language]})`));
    expect([language, remarked]).toEqual([language, unread]);
  }
});
