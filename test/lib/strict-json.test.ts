import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Problem } from '../../src/lib/problem.ts';
import { parseStrictJson, parseStrictJsonText } from '../../src/lib/strict-json.ts';

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
  test('any JSON value means what JSON.parse says it means', () => {
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

  test('a duplicated key wherever it stands in a document', () => {
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

function hasNoNul(value: unknown): boolean {
  return !JSON.stringify(value).includes(String.raw`\u0000`);
}
