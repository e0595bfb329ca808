import { expect, test } from 'vitest';
import { nameKeys } from '../../../src/lib/text/name-keys.ts';
import { PersonName } from '../../../src/domain/identity/patients/profile.schemas.ts';

test.each<[string, string[], string]>([
  ['case and accents', ['José', 'JOSE', 'Jose\u0301'], 'jose'],
  ['letters without a decomposition', ['Łukasz', 'lukasz', 'LUKASZ'], 'lukasz'],
  ['sharp s and its capitals', ['Weiß', 'WEISS', 'weiss'], 'weiss'],
  ['the dotted capital I of Turkish', ['İpek', 'ipek', 'IPEK'], 'ipek'],
  ['apostrophes', ["O'Brien", 'O’Brien', 'OBrien'], 'obrien'],
  ['niqqud', ['שָׁלוֹם', 'שלום'], 'שלומ'],
  ['final letters', ['כהן', 'כהנ'], 'כהנ'],
  ['geresh', ['ג׳ורג׳', "ג'ורג'", 'גורג'], 'גורג'],
  ['tashkeel', ['مُحَمَّد', 'محمد'], 'محمد'],
  ['the tatweel', ['محـــمد', 'محمد'], 'محمد'],
  ['forms of alef', ['أحمد', 'احمد', 'آحمد', 'إحمد'], 'احمد'],
  ['ta marbuta and alef maqsura', ['فاطمة', 'فاطمه'], 'فاطمه'],
  ['Persian letters', ['علی', 'علي', 'على'], 'علي'],
  ['presentation forms', ['\uFE8E\uFEDF\uFEE6'.normalize('NFKC'), '\uFE8E\uFEDF\uFEE6'], 'الن'],
  ['full-width letters', ['ＡＮＮ', 'ann'], 'ann'],
])('%s do not matter', (_what, spellings, key) => {
  for (const spelling of spellings) expect([spelling, nameKeys(spelling)]).toEqual([spelling, [key]]);
});

test('every word of every name is a key once, with any separator between the words', () => {
  expect(nameKeys('Anna Maria', 'Ben-David')).toEqual(['anna', 'maria', 'ben', 'david']);
  expect(nameKeys('בר־לב', 'Anna, anna')).toEqual(['בר', 'לב', 'anna']);
  expect(nameKeys(null, undefined, ' - ', '')).toEqual([]);
});

test('a key is at most 80 characters long, also where a letter becomes several', () => {
  expect(nameKeys('ß'.repeat(80))[0]).toHaveLength(80);
  for (const key of nameKeys('\ufdfa'.repeat(80))) expect(Array.from(key).length).toBeLessThanOrEqual(80);
});

test('a name is trimmed and composed, and has no invisible characters', () => {
  expect(PersonName.parse('  Jose\u0301 ')).toBe('José');
  expect(PersonName.parse('𐐀'.repeat(80))).toHaveLength(160);
  for (const name of [
    '',
    '   ',
    'a'.repeat(81),
    'a\nb',
    'a\u202eb',
    'a\u0000b',
    'a\u2066b',
    '\ufeffa\ufeffb',
  ])
    expect(PersonName.safeParse(name).success, JSON.stringify(name)).toBe(false);
});
