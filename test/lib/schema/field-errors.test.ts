import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fieldErrors, jsonPointer, MAX_FIELD_ERRORS } from '../../../src/lib/schema/field-errors.ts';

function errorsOf(schema: z.ZodType, input: unknown) {
  const { error } = schema.safeParse(input);
  return error ? fieldErrors(error, input) : [];
}

const Account = z.strictObject({
  email: z.email(),
  role: z.enum(['patient', 'physician']),
  age: z.int().min(0).max(120).optional(),
  tags: z.array(z.string().min(2)).max(3).optional(),
  accepted: z.literal(true).optional(),
  password: z
    .string()
    .refine((value) => value.length >= 8, {
      error: 'Must have at least 8 characters.',
      params: { code: 'password_too_short' },
    })
    .optional(),
});
const valid = { email: 'a@example.org', role: 'patient' };

test('an error is listed once, also where two checks find it', () => {
  const schema = z.object({ number: z.int().max(Number.MAX_SAFE_INTEGER) });
  expect(errorsOf(schema, { number: 9.3e18 })).toMatchObject([{ pointer: '/number', code: 'too_big' }]);
});

test('an item of a list that was sent as one text is wrong, not missing', () => {
  const list = z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(['case', 'access'])));
  expect(errorsOf(z.object({ category: list }), { category: 'case,x' })).toEqual([
    { pointer: '/category/1', code: 'invalid_value', message: 'Must be one of: case, access.' },
  ]);
});

describe('codes and messages', () => {
  const cases: [what: string, input: object, error: object][] = [
    [
      'a missing text',
      { email: undefined },
      { pointer: '/email', code: 'required', message: 'This field is required.' },
    ],
    [
      'a missing enumeration',
      { role: undefined },
      { pointer: '/role', code: 'required', message: 'This field is required.' },
    ],
    ['null', { email: null }, { pointer: '/email', code: 'invalid_type', message: 'Must be text.' }],
    [
      'a wrong enumeration value',
      { role: 'king' },
      { pointer: '/role', code: 'invalid_value', message: 'Must be one of: patient, physician.' },
    ],
    [
      'a wrong type for an enumeration',
      { role: 1 },
      { pointer: '/role', code: 'invalid_type', message: 'Must be one of: patient, physician.' },
    ],
    [
      'a wrong literal',
      { accepted: false },
      { pointer: '/accepted', code: 'invalid_value', message: 'Must be true.' },
    ],
    [
      'a wrong format',
      { email: 'a' },
      { pointer: '/email', code: 'invalid_format', message: 'Must be an email address.' },
    ],
    [
      'a fraction',
      { age: 1.5 },
      { pointer: '/age', code: 'invalid_type', message: 'Must be a whole number.' },
    ],
    [
      'a number as text',
      { age: '1' },
      { pointer: '/age', code: 'invalid_type', message: 'Must be a number.' },
    ],
    ['too small', { age: -1 }, { pointer: '/age', code: 'too_small', message: 'Must be at least 0.' }],
    ['too big', { age: 121 }, { pointer: '/age', code: 'too_big', message: 'Must be at most 120.' }],
    [
      'too short',
      { tags: ['ok', 'x'] },
      { pointer: '/tags/1', code: 'too_small', message: 'Must have at least 2 characters.' },
    ],
    [
      'too many',
      { tags: ['ab', 'cd', 'ef', 'gh'] },
      { pointer: '/tags', code: 'too_big', message: 'Must have at most 3 items.' },
    ],
    [
      'a text for a list',
      { tags: 'abcdef' },
      { pointer: '/tags', code: 'invalid_type', message: 'Must be a list.' },
    ],
    [
      'an object for a text',
      { email: { length: 9 } },
      { pointer: '/email', code: 'invalid_type', message: 'Must be text.' },
    ],
    [
      'an unknown field',
      { Role: 'x' },
      { pointer: '/Role', code: 'unknown_field', message: 'This field is unknown.' },
    ],
    [
      'a code of its own',
      { password: 'short' },
      { pointer: '/password', code: 'password_too_short', message: 'Must have at least 8 characters.' },
    ],
  ];
  test.each(cases)('%s', (_, change, error) => {
    expect(errorsOf(Account, { ...valid, ...change })).toEqual([error]);
  });

  test('a message of the schema takes precedence, for every kind of error', () => {
    const schema = z.object({
      slug: z.string().regex(/^[a-z]+$/, 'Use lower-case letters only.'),
      count: z.number({ error: 'Say how many.' }),
      kind: z.enum(['a', 'b'], { error: 'Choose a or b.' }),
    });
    expect(errorsOf(schema, { slug: 'A', count: 'two', kind: 'c' })).toEqual([
      { pointer: '/slug', code: 'invalid_format', message: 'Use lower-case letters only.' },
      { pointer: '/count', code: 'invalid_type', message: 'Say how many.' },
      { pointer: '/kind', code: 'invalid_value', message: 'Choose a or b.' },
    ]);
  });

  test('a refinement without a code of its own is an invalid value', () => {
    const schema = z.string().refine(() => false, 'Never good.');
    expect(errorsOf(schema, 'x')).toEqual([{ pointer: '', code: 'invalid_value', message: 'Never good.' }]);
  });

  test('a union reports that no form fits, at its own pointer', () => {
    const schema = z.object({ at: z.union([z.number(), z.object({ x: z.number() })]) });
    expect(errorsOf(schema, { at: 'here' })).toEqual([
      { pointer: '/at', code: 'invalid_value', message: 'Must have one of the allowed forms.' },
    ]);
    expect(errorsOf(schema, {})).toMatchObject([{ pointer: '/at', code: 'required' }]);
  });

  test('a discriminated union names its discriminator', () => {
    const schema = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a') }),
      z.object({ kind: z.literal('b'), size: z.number() }),
    ]);
    expect(errorsOf(schema, { kind: 'c' })).toMatchObject([{ pointer: '/kind', code: 'invalid_value' }]);
    expect(errorsOf(schema, {})).toMatchObject([{ pointer: '/kind', code: 'required' }]);
    expect(errorsOf(schema, { kind: 'b' })).toMatchObject([{ pointer: '/size', code: 'required' }]);
  });

  test('messages carry no submitted value', () => {
    const secret = 'zq secret 17';
    const input = {
      email: secret,
      role: secret,
      age: secret,
      tags: [secret, 1],
      accepted: secret,
      [secret]: 1,
    };
    const messages = errorsOf(Account, input).map(({ message }) => message);
    expect(messages).toHaveLength(6);
    expect(messages.join(' ')).not.toContain(secret);
  });
});

describe('order and number', () => {
  test('errors follow document order; unknown fields at their position, missing ones at the end', () => {
    const input = { zebra: 1, tags: ['x', 'ok', 3], role: 'king', age: 200 };
    expect(errorsOf(Account, input).map(({ pointer }) => pointer)).toEqual([
      '/zebra',
      '/tags/0',
      '/tags/2',
      '/role',
      '/age',
      '/email',
    ]);
  });

  test('the tenth item of a list comes after the second', () => {
    const input = ['1', 'x', '3', '4', '5', '6', '7', '8', '9', '10', 'y'];
    const schema = z.array(z.string().regex(/^\d+$/));
    expect(errorsOf(schema, input).map(({ pointer }) => pointer)).toEqual(['/1', '/10']);
  });

  test('the first of too many errors are named', () => {
    const input = Array.from({ length: 5000 }, () => 'x');
    const errors = errorsOf(z.array(z.number()), input);
    expect(errors).toHaveLength(MAX_FIELD_ERRORS);
    expect(errors.at(-1)?.pointer).toBe(`/${MAX_FIELD_ERRORS - 1}`);
  });

  test('inherited names are not taken for values', () => {
    expect(errorsOf(z.object({ toString: z.string(), constructor: z.string() }), {})).toMatchObject([
      { pointer: '/toString', code: 'required' },
      { pointer: '/constructor', code: 'required' },
    ]);
  });
});

test('a pointer is escaped as RFC 6901 wants it', () => {
  expect(jsonPointer([])).toBe('');
  expect(jsonPointer(['a/b', 'm~n', '', 0, '~1'])).toBe('/a~1b/m~0n//0/~01');
});
