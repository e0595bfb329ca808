import { expect, test } from 'vitest';
import { type CursorScope, openCursor, sealCursor } from '../../../src/lib/paging/cursor.ts';
import { toPage } from '../../../src/lib/paging/page.ts';

const keys = { SECRET_KEY: 'k'.repeat(43) };
const scope: CursorScope = { list: 'cases', tenantId: 1, filters: { owner: 'a', status: 'draft' } };
const position = ['2026-11-23T00:00:00.000Z', 17, null];
const cursor = sealCursor(keys, scope, position);
const invalid = expect.objectContaining({ code: 'cursor_invalid' }) as unknown;

test('a cursor leads back to its position, in any order of the filters and without those that are not set', () => {
  expect(openCursor(keys, scope, cursor)).toEqual(position);
  const same = { ...scope, filters: { status: 'draft', owner: 'a', patient: undefined } };
  expect(openCursor(keys, same, cursor)).toEqual(position);
  expect(cursor).toMatch(/^[\w-]+\.[\w-]{22}$/);
});

test.each<[string, CursorScope]>([
  ['list', { ...scope, list: 'messages' }],
  ['tenant', { ...scope, tenantId: 2 }],
  ['caller', { ...scope, filters: { owner: 'b', status: 'draft' } }],
  ['set of filters', { ...scope, filters: { owner: 'a' } }],
])('a cursor of another %s is refused', (_what, other) => {
  expect(() => openCursor(keys, other, cursor)).toThrow(invalid);
});

test('an altered cursor is refused, and so is anything else', () => {
  const [body = '', tag = ''] = cursor.split('.');
  const moved = Buffer.from(JSON.stringify([position[0], 18, null])).toString('base64url');
  const others = [
    `${moved}.${tag}`,
    body,
    `${body}.`,
    `.${tag}`,
    `${cursor}.x`,
    `${body}.${tag.slice(1)}`,
    'x',
    '.',
  ];
  for (const other of others) expect(() => openCursor(keys, scope, other), other).toThrow(invalid);
});

test('a cursor of the key before is good while that key is configured', () => {
  const rotated = { SECRET_KEY: 'n'.repeat(43) };
  expect(openCursor({ ...rotated, SECRET_KEY_PREVIOUS: keys.SECRET_KEY }, scope, cursor)).toEqual(position);
  expect(() => openCursor(rotated, scope, cursor)).toThrow(invalid);
});

test('a page has a cursor of its last item only when another item follows', () => {
  const after = (item: number) => `after ${item}`;
  expect(toPage([1, 2, 3], 2, after)).toEqual({ items: [1, 2], next_cursor: 'after 2', count: null });
  expect(toPage([1, 2], 2, after)).toEqual({ items: [1, 2], next_cursor: null, count: null });
  expect(toPage([], 2, after)).toEqual({ items: [], next_cursor: null, count: null });
});
