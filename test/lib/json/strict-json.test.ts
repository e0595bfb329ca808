import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../src/contract/problem.ts';
import { parseStrictJson, parseStrictJsonText } from '../../../src/lib/json/strict-json.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function refusal(parse: () => unknown): Problem {
  try {
    parse();
  } catch (error) {
    return error as Problem;
  }
  throw new Error('was accepted');
}

const refusedText = (text: string) => refusal(() => parseStrictJsonText(text));

describe('what is accepted', () => {
  test('any JSON value parses as JSON.parse does', () => {
    const wellFormed = fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' }).filter(hasNoNul);
    fc.assert(
      fc.property(wellFormed, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parseStrictJson(bytes(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('equal keys in different objects, and a key that equals a value', () => {
    const text = '{"a":{"a":"a"},"b":[{"a":1},{"a":2}],"c":"a"}';
    expect(parseStrictJsonText(text)).toEqual(JSON.parse(text));
  });

  test('keys that differ only in case or in Unicode normalisation', () => {
    expect(parseStrictJsonText('{"a":1,"A":2,"\u00e9":3,"e\u0301":4}')).toEqual({
      a: 1,
      A: 2,
      '\u00e9': 3,
      'e\u0301': 4,
    });
  });

  test('depth 32, counted in arrays and objects alike', () => {
    const text = `${'{"a":['.repeat(16)}${']}'.repeat(16)}`;
    expect(parseStrictJsonText(text)).toEqual(JSON.parse(text));
  });

  test('many brackets side by side, and brackets inside strings', () => {
    const text = `[${'[],'.repeat(500)}"${'['.repeat(100)}\\"${'{'.repeat(100)}"]`;
    expect(parseStrictJsonText(text)).toEqual(JSON.parse(text));
  });

  test('a backslash before "u0000" that is itself escaped', () => {
    expect(parseStrictJsonText(String.raw`["\\u0000"]`)).toEqual([String.raw`\u0000`]);
  });

  test('surrogate pairs, raw and escaped', () => {
    expect(parseStrictJsonText(String.raw`["😀","\ud83d\ude00"]`)).toEqual(['😀', '😀']);
  });

  test('a string of any length, with or without the escapes that encoders write into base64, between other members', () => {
    const length = fc.integer({ min: 65_000, max: 66_000 });
    const unit = fc.constantFrom('A', '+', '/', '=', ' ', '[', '{', 'Zm9v+/=', '\u007f');
    const other = fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }).filter(hasNoNul);
    const encoder = fc.constantFrom<(json: string) => string>(
      (json) => json,
      (json) => json.replaceAll('/', String.raw`\/`),
      (json) => json.replaceAll('+', String.raw`\u002B`),
      (json) => json.replaceAll('=', String.raw`\u003d`),
      (json) => json.replaceAll('/', String.raw`\u002f`).replaceAll('A', String.raw`\u0041`),
    );
    fc.assert(
      fc.property(length, unit, other, encoder, (count, piece, value, encoded) => {
        const long = encoded(JSON.stringify(piece.repeat(count)));
        const short = JSON.stringify(value);
        const text = `{"before":${short},"long":${long},"list":[${long}],"after":${short}}`;
        expect(parseStrictJson(bytes(text))).toEqual(JSON.parse(text));
      }),
      { numRuns: 60 },
    );
  });

  test('an own member named __proto__ changes no prototype', () => {
    const value = parseStrictJsonText('{"__proto__":{"isAdmin":true}}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.hasOwn(value, '__proto__')).toBe(true);
  });
});

describe('what is refused, always as malformed_json', () => {
  test.each([
    ['no JSON at all', 'surely not'],
    ['nothing', ''],
    ['white space', ' \n'],
    ['a text that is cut off', '{"a":1'],
    ['two values', '{} {}'],
    ['a comment', '{"a":1 /* note */}'],
    ['a comma at the end', '[1,]'],
    ['single quotes', "{'a':1}"],
    ['NaN', '{"a":NaN}'],
    ['a line break inside a string', '"a\nb"'],
    ['a raw NUL inside a string', '"a\0b"'],
    ['a raw NUL outside of strings', '{\0}'],
    ['an escaped NUL in a value', String.raw`{"a":"b\u0000"}`],
    ['an escaped NUL in a key', String.raw`{"\u0000":1}`],
    ['an escaped NUL behind an escaped backslash', String.raw`["\\\u0000"]`],
    ['half of a surrogate pair in a value', String.raw`["\ud83d"]`],
    ['half of a surrogate pair in a key', String.raw`{"\uDE00":1}`],
    ['surrogates in the wrong order', String.raw`["\ude00\ud83d"]`],
    ['a key twice', '{"a":1,"a":1}'],
    ['a key twice, once with an escape', String.raw`{"role":"patient","r\u006fle":"admin"}`],
    ['a key twice in a nested object', '{"x":[0,{"a":1,"b":[],"a":2}]}'],
    ['a key twice, around an object of its own', '{"a":{"b":1},"c":2,"a":3}'],
    ['an empty key twice', '{"":1,"":2}'],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}'],
    ['depth 33', `${'['.repeat(33)}${']'.repeat(33)}`],
    ['depth 33 of objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
    ['a byte-order mark', '\uFEFF{}'],
  ])('%s', (_what, text) => {
    expect(refusedText(text)).toMatchObject({ code: 'malformed_json', status: 400 });
    expect(refusal(() => parseStrictJson(bytes(text)))).toMatchObject({ code: 'malformed_json' });
  });

  test.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate encoded as CESU-8', [0x22, 0xed, 0xa0, 0xbd, 0x22]],
    ['a code point above U+10FFFF', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['Latin-1', [0x22, 0xe9, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ['a character that is cut off', [0x22, 0xf0, 0x9f, 0x98]],
  ])('bytes that are not UTF-8: %s', (_what, octets) => {
    expect(refusal(() => parseStrictJson(Uint8Array.from(octets)))).toMatchObject({ code: 'malformed_json' });
  });

  test('nesting beyond any stack', () => {
    expect(refusedText('['.repeat(200_000))).toMatchObject({ code: 'malformed_json' });
    expect(refusedText(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)).toMatchObject({
      code: 'malformed_json',
    });
  });

  test.each([
    ['more than 40,000 tokens', `[${'[],'.repeat(14_000)}0]`],
    ['more than 40,000 tokens outside of any bracket', ','.repeat(40_001)],
    ['more than 2,000 keys', keyed(2001, (index) => `"k${index}"`)],
    ['more than 2,000 keys that look like integers', keyed(2001, (index) => `"${index * 4_000_037}"`)],
    ['more than 2,000 keys in many objects', `[${'{"a":0},'.repeat(2001)}0]`],
    ['more than a megabyte of white space', `[${' '.repeat(1024 * 1024)}]`],
    ['more than a megabyte of digits', `[${'1'.repeat(1024 * 1024)}]`],
    ['more than a megabyte of short strings', `[${`"${'a'.repeat(60_000)}",`.repeat(20)}0]`],
    ['a long string that is not ASCII', `["${'\u20ac'.repeat(30_000)}"]`],
    ['a long string with an escaped letter outside of ASCII', `["${'\\u05d0'.repeat(30_000)}"]`],
    ['a long string with a line break', `["${'A'.repeat(70_000)}\n"]`],
    ['a long string with an escaped line break', `["${'A'.repeat(70_000)}\\n"]`],
    ['a long string with an escaped NUL', `["${'A'.repeat(70_000)}\\u0000"]`],
    ['a long string with an escaped quote', `["${'A'.repeat(70_000)}\\"B"]`],
    ['a long string with an unknown escape', `["${'A'.repeat(70_000)}\\q"]`],
    ['a long string with an escaped backslash behind a slash', `["${'A'.repeat(70_000)}\\/\\\\"]`],
    ['a long string with an escape of Latin-1', `["${'A'.repeat(70_000)}\\u00e9"]`],
    ['a long string with an escape of no digits', `["${'A'.repeat(70_000)}\\u00+f"]`],
    ['a long string with an escape that is cut off', `["${'A'.repeat(70_000)}\\u00","bcde"]`],
    ['a long string without an end', `["${'A'.repeat(70_000)}`],
    ['a long key', `{"${'A'.repeat(70_000)}":0}`],
    ['a key twice behind a long string', `{"a":"${'A'.repeat(70_000)}","a":0}`],
    ['3.4 million escapes in one string', `["${'\\/'.repeat(3_400_000)}\\u0000"]`],
  ])('%s', (_what, text) => {
    expect(refusedText(text)).toMatchObject({ code: 'malformed_json', status: 400 });
  });

  test('exactly what JSON.parse refuses, of any few tokens', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '"\\',
      '"',
      '1',
      'null',
      ' ',
      'x',
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
        const text = tokens.join('');
        const accepts = (parse: () => unknown) => {
          try {
            return { value: parse() };
          } catch {
            return undefined;
          }
        };
        const ours = accepts(() => parseStrictJsonText(text));
        const theirs = accepts(() => JSON.parse(text) as unknown);
        // Ours also refuses a key twice.
        if (ours !== undefined || !/"a".*"a"|"b".*"b"/.test(text)) expect(ours).toEqual(theirs);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  test('a duplicate key anywhere in a document', () => {
    const object = fc.dictionary(fc.string({ minLength: 1 }).filter(hasNoNul), fc.integer(), { minKeys: 1 });
    fc.assert(
      fc.property(object, fc.nat(), (members, pick) => {
        const keys = Object.keys(members);
        const twice = JSON.stringify(keys[pick % keys.length]);
        const text = JSON.stringify(members).replace(/\}$/, () => `,${twice}:0}`);
        expect(refusedText(`[{"x":${text}}]`).code).toBe('malformed_json');
      }),
    );
  });

  test('without repeating what was sent', () => {
    const { detail, message } = refusedText('{"password":"hunter2-secret","password":"x"}');
    expect(`${detail} ${message}`).not.toContain('hunter2');
    expect(`${detail} ${message}`).not.toContain('password');
  });
});

function keyed(count: number, key: (index: number) => string): string {
  return `{${Array.from({ length: count }, (_, index) => `${key(index)}:0`).join(',')}}`;
}

function hasNoNul(value: unknown): boolean {
  return !JSON.stringify(value).includes(String.raw`\u0000`);
}
