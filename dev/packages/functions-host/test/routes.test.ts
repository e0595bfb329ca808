import { describe, expect, test } from 'vitest';
import { compileTemplate } from '../route-template.ts';
import { createRouter } from '../router.ts';

describe('templates', () => {
  test.each([
    ['value/{value}', '/value/a', { value: 'a' }],
    ['value/{value}', '/value/a\nb', { value: 'a\nb' }],
    ['Mixed/Case/{Value}', '/mixed/CASE/Kept/', { Value: 'Kept' }],
    ['a/{one}/b/{two}', '/a/1/b/2', { one: '1', two: '2' }],
    ['c.d(e)', '/c.d(e)', {}],
    ['rest/{*path}', '/rest', {}],
    ['rest/{*path}', '/rest/a//b/', { path: 'a//b/' }],
    ['{*path}', '/', {}],
    ['{*path}', '/admin/nothing', { path: 'admin/nothing' }],
  ])('%s takes %j: %j', (template, path, params) => {
    expect(compileTemplate(template)(path)).toEqual(params);
  });

  test.each([
    ['value/{value}', '/value'],
    ['value/{value}', '/value/a/b'],
    ['value/{value}', '//value/a'],
    ['c.d', '/cxd'],
    ['rest/{*path}', '/rest//a'],
    ['{*path}', '//a//b'],
  ])('%s does not take %j', (template, path) => {
    expect(compileTemplate(template)(path)).toBe(undefined);
  });

  test.each([
    'a//b',
    '/a',
    'a/',
    'a/{b',
    'a/{id:int}',
    'a/{id?}',
    'a/{id=1}',
    '{*rest}/more',
    'x-{a}',
    'a?b',
  ])('%s is refused: Azure refuses it, or applies what this host does not know', (template) => {
    expect(() => compileTemplate(template)).toThrow(/is neither a text, nor \{name\}/);
  });
});

const http = (name: string, route: string, methods = ['GET'], authLevel = 'anonymous') => ({
  name,
  bindings: { request: { type: 'httpTrigger', direction: 'in' as const, route, methods, authLevel } },
});

describe('overlapping templates: the first name wins', () => {
  const router = createRouter(
    [
      http('order-b-exact', 'order/exact'),
      http('order-a-any', 'order/{any}'),
      http('ov4_x', 'ordinal'),
      http('ov4ax', 'ordinal'),
      http('dash1', 'dash'),
      http('dash-1', 'dash'),
      http('sameGet', 'same', ['get']),
      http('samePost', 'same', ['POST']),
      http('zz-twice', 'twice'),
      http('aa-twice', 'twice'),
    ],
    '',
  );
  const nameOf = (method: string, path: string) => router.match(method, path)?.info.name;

  test('whatever is more specific or was registered first', () => {
    expect(nameOf('GET', '/order/exact')).toBe('order-a-any');
    expect(nameOf('GET', '/twice')).toBe('aa-twice');
  });

  test('by ordinal order, ignoring case: ov4ax before ov4_x, "-" before digits', () => {
    expect(nameOf('GET', '/ordinal')).toBe('ov4ax');
    expect(nameOf('GET', '/dash')).toBe('dash-1');
  });

  test('the same route with other methods: both work', () => {
    expect(nameOf('GET', '/same')).toBe('sameGet');
    expect(nameOf('POST', '/same')).toBe('samePost');
  });
});

test.each([
  ['a reserved route', http('reserved', 'administrators'), /reserved: the route .* conflicts/],
  ['a bad name', http('1bad', 'x'), /"1bad" is not a valid function name/],
  ['the name of the host', http('Host', 'x'), /"Host" is not a valid function name/],
  ['an invalid template', http('broken', 'items/{id:int}'), /broken: the route "v1\/items.*" is not valid/],
  ['a leading slash', http('slashed', '/x'), /slashed: the route "v1\/\/x" is not valid/],
  ['a function key', http('keyed', 'x', ['GET'], 'function'), /keyed: this host asks for no function keys/],
  [
    'another trigger',
    { name: 'q', bindings: { message: { type: 'queueTrigger', direction: 'in' as const } } },
    /q: this host runs HTTP and timer triggers, no queueTrigger/,
  ],
])('%s is refused, where a real host would lose the function or all of them', (_, registration, reason) => {
  expect(() => createRouter([http('fine', 'fine'), registration], 'v1')).toThrow(reason);
});

test('a prefix precedes every route; without a route the name is the route', () => {
  const router = createRouter([http('hello', '')], 'api');
  expect(router.match('GET', '/api/hello')?.info.name).toBe('hello');
  expect(router.match('GET', '/hello')).toBe(undefined);
});
