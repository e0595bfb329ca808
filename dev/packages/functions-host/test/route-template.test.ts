import { describe, expect, test } from 'vitest';
import { compileTemplate } from '../route-template.ts';

describe('invalid templates', () => {
  test.each([
    ['a//b', 'two slashes'],
    ['a/{b', 'braces'],
    ['a/b}', 'braces'],
    ['a/{b}}', 'braces'],
    ['a/{}', 'braces'],
    ['a/{:int}', 'no valid name'],
    ['{a}/{A}', 'appears twice'],
    ['{*rest}/more', 'last part'],
    ['x{*rest}', 'segment of its own'],
    ['{*rest?}', 'cannot be optional'],
    ['{a}{b}', 'two parameters'],
    ['{a?}-x', 'after a "."'],
    ['x-{a?}', 'after a "."'],
    ['{a=1?}', 'no default'],
    ['a?b', 'contains "?"'],
    ['{a:nosuch}', 'no constraint "nosuch"'],
    ['{a:int(5)}', 'no constraint "int(5)"'],
    ['{a:range(1)}', 'no constraint "range(1)"'],
    ['{a:length(x)}', 'no constraint "length(x)"'],
    ['{a:regex([)}', 'Invalid regular expression'],
    ['{a:int:}', 'cannot be read'],
  ])('%s: %s', (template, reason) => {
    expect(() => compileTemplate(template)).toThrow(reason);
  });
});

describe('constraints', () => {
  test.each([
    ['long', ['9223372036854775807', '-9223372036854775808'], ['9223372036854775808', '1e3', '']],
    ['min(3)', ['3', '+4'], ['2', 'x']],
    ['max(-3)', ['-3', '-4'], ['-2']],
    ['range(-1,1)', ['-1', '0', '1'], ['2']],
    ['length(2,3)', ['ab', 'abc'], ['a', 'abcd']],
    ['minlength(2)', ['ab'], ['a']],
    ['maxlength(2)', ['ab'], ['abc']],
    ['bool', ['true', 'FALSE', ' true '], ['1', 'yes']],
    ['alpha', ['aZ'], ['a1', 'é']],
    ['decimal', ['1', '-1.5', '1,000.5'], ['1e3', 'x']],
    ['double', ['1', '-1.5e3', 'NaN'], ['1.2.3']],
    ['float', ['.5'], ['5f']],
    ['datetime', ['2026-11-21', '2026-11-21T10:00:00Z'], ['yesterday', '2026-13-45']],
    ['required', ['x'], []],
    ['guid', ['{0af76519-16cd-43dd-8448-eb211c80319c}'], ['0af76519-16cd-43dd-8448-eb211c80319c}']],
    ['file', ['a.txt'], ['a', 'a.']],
    ['nonfile', ['a'], ['a.txt']],
    ['regex(^a:b=c$)', ['a:b=c', 'A:B=C'], ['a']],
  ])('%s takes %j and not %j', (constraint, good, bad) => {
    const match = compileTemplate(`x/{value:${constraint}}`);
    for (const value of good) expect(match(`/x/${value}`)).toEqual({ value });
    for (const value of bad) expect(match(`/x/${value}`)).toBe(undefined);
  });

  test('all of several must hold', () => {
    const match = compileTemplate('{n:int:min(2):max(3)}');
    expect([1, 2, 3, 4].map((n) => match(`/${n}`) !== undefined)).toEqual([false, true, true, false]);
  });

  test('an optional parameter may be missing, but not wrong; a constrained catch-all must have a value', () => {
    const match = compileTemplate('x/{n:int?}');
    expect(match('/x')).toEqual({});
    expect(match('/x/a')).toBe(undefined);
    expect(compileTemplate('x/{*rest:minlength(1)}')('/x')).toBe(undefined);
  });
});

test('braces are escaped by doubling, other characters mean themselves', () => {
  expect(compileTemplate('a{{b}}/c.d+(e)')('/a{b}/c.d+(e)')).toEqual({});
  expect(compileTemplate('c.d')('/cxd')).toBe(undefined);
});

test('a default in the middle is no default: what follows is needed', () => {
  const match = compileTemplate('{a=1}/b');
  expect(match('/b')).toBe(undefined);
  expect(match('/2/b')).toEqual({ a: '2' });
});

test('a value may hold a line feed, and ends at a slash only', () => {
  expect(compileTemplate('{a}')('/x\ny')).toEqual({ a: 'x\ny' });
  expect(compileTemplate('{*a}')('/x\n/y')).toEqual({ a: 'x\n/y' });
});
