import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { foreignAddresses, matches, methodsOf } from '../../../src/lib/http/route-match.ts';

const routes = [
  { method: 'GET', route: 'api/items' },
  { method: 'POST', route: 'api/items' },
  { method: 'GET', route: 'api/items/{id}' },
  { method: 'DELETE', route: 'api/items/{id}' },
  { method: 'PUT', route: 'api/items/{id}/name' },
  { method: 'GET', route: 'files/{*path}' },
];

describe('the methods of an address', () => {
  test.each([
    ['/api/items', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['/api/items/7', ['DELETE', 'GET', 'HEAD', 'OPTIONS']],
    ['/api/items/7/name', ['OPTIONS', 'PUT']],
    ['/files/a/b/c', ['GET', 'HEAD', 'OPTIONS']],
    ['/files', ['GET', 'HEAD', 'OPTIONS']],
    // As the host has it: letters in any case, one slash at the end.
    ['/API/Items/', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['/api', []],
    ['/api/items/7/8', []],
    ['/api/items//', []],
    ['//api/items', []],
    ['/', []],
  ])('%s', (path, methods) => {
    expect(methodsOf(path, routes)).toEqual(methods);
  });
});

test('a parameter takes exactly one segment that is not empty', () => {
  expect(matches('a/{x}/b', '/a/1/b')).toBe(true);
  expect(matches('a/{x}/b', '/a//b')).toBe(false);
  expect(matches('a/{x}/b', '/a/1/2/b')).toBe(false);
});

describe('a route without parameters beside one that has some', () => {
  const params = z.object({ id: z.uuid() });
  const beside = [
    { method: 'GET', route: 'api/items/{id}', params },
    { method: 'GET', route: 'files/{*path}', params: z.object({ path: z.string().regex(/^\d+\/text$/) }) },
    { method: 'GET', route: 'names/{name}', params: z.object({ name: z.string() }) },
    ...['api/items/search', 'files/send/all', 'names/search'].map((route) => ({ method: 'POST', route })),
  ];

  test.each([
    ['/api/items/search', ['OPTIONS', 'POST']],
    ['/API/items/SEARCH/', ['OPTIONS', 'POST']],
    ['/api/items/malformed', ['GET', 'HEAD', 'OPTIONS']],
    ['/files/send/all', ['OPTIONS', 'POST']],
    ['/files/7/text', ['GET', 'HEAD', 'OPTIONS']],
    ['/names/search', ['GET', 'HEAD', 'OPTIONS', 'POST']],
  ])('%s has the methods that it can have', (path, methods) => {
    expect(methodsOf(path, beside)).toEqual(methods);
  });

  test('is foreign to it where its address cannot be a parameter', () => {
    const foreign = beside.slice(0, 3).map((route) => foreignAddresses(route, beside));
    expect(foreign).toEqual([['api/items/search'], ['files/send/all'], []]);
  });
});
