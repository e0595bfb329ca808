import { describe, expect, test } from 'vitest';
import { matches, methodsOf } from '../../../src/lib/http/route-match.ts';

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
