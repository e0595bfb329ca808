import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from 'fontkit';
import { describe, expect, test } from 'vitest';
import { charactersIn, cutFont, fontFaces } from '../write-fonts.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const folder = join(import.meta.dirname, '..', 'src', 'fonts');

const faces = [
  ...readFileSync(join(folder, 'fonts.css'), 'utf8').matchAll(
    /url\('\.\/(\w+)-(\d+)\.woff2'\).*?unicode-range: ([^;]+);/gs,
  ),
].map(([, script = '', weight = '', ranges = '']) => {
  const file = `${script}-${weight}.woff2`;
  return { file, bytes: readFileSync(join(folder, file)), characters: new Set(charactersIn(ranges)) };
});

/** Every character that a patient reads: texts of the portal, and of the gateway in four languages. */
const shown = new Set(
  globSync(
    [
      'dev/apps/portal/src/**/i18n/**/*.ts',
      'src/domain/**/messages/*.json',
      'src/domain/platform/texts/*.ts',
    ],
    { cwd: root },
  ).flatMap((file) => Array.from(readFileSync(join(root, file), 'utf8'))),
);
/** Line breaks, and what only turns the direction of writing. */
const invisible = /[\n\u200e\u200f\u2066-\u2069]/;

describe.each(faces)('$file', ({ bytes, characters }) => {
  test('draws each of the characters that it is loaded for and that the portal shows', () => {
    const font = create(bytes);
    if (!('hasGlyphForCodePoint' in font)) throw new Error('A collection of fonts.');
    const missing = [...shown]
      .filter((character) => characters.has(character) && !invisible.test(character))
      .filter((character) => !font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));
    expect(missing).toEqual([]);
  });

  test('is a small download: 22 KiB', () => {
    expect(bytes.length).toBeLessThan(22 * 1024);
  });
});

test('regular and bold of Latin, Hebrew and Arabic draw every character that a patient reads', () => {
  expect(faces).toHaveLength(6);
  expect(shown.size).toBeGreaterThan(150);
  const missing = [...shown].filter(
    (character) => !invisible.test(character) && !faces.some(({ characters }) => characters.has(character)),
  );
  expect(missing).toEqual([]);
});

// Of the six files the smallest stands for all: to cut them takes seconds.
test('the files are cut from the installed Noto Sans (npm run portal:fonts)', async () => {
  expect(readFileSync(join(folder, 'fonts.css'), 'utf8')).toBe(fontFaces());
  const hebrew = readFileSync(join(folder, 'hebrew-700.woff2'));
  expect(await cutFont('hebrew', 700)).toEqual(hebrew);
});
