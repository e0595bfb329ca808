import { expect, test } from 'vitest';
import { inMemory } from '../src/index.ts';
import { pair } from './scripted-gateway.ts';

// `inIndexedDb` is shown in a browser: browser.test.ts.

test('memory stores the pair until it is cleared', () => {
  const store = inMemory();
  expect(store.load()).toBeUndefined();
  store.save(pair(1));
  expect(store.load()).toEqual(pair(1));
  store.clear();
  expect(store.load()).toBeUndefined();
});

test('memory replaces a pair only while it is the stored one', () => {
  const store = inMemory(pair(1));
  expect(store.replace(pair(0), pair(2))).toBe(false);
  expect(store.load()).toEqual(pair(1));
  expect(store.replace(pair(1), pair(2))).toBe(true);
  expect(store.load()).toEqual(pair(2));
  expect(store.replace(pair(2), undefined)).toBe(true);
  expect(store.replace(pair(2), pair(3))).toBe(false);
  expect(store.load()).toBeUndefined();
});
