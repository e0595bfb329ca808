import { expect, test } from 'vitest';
import { inMemory } from '../../../dev/client/src/index.ts';
import { pair } from './scripted-gateway.ts';

// `inIndexedDb` is shown in a browser: browser.test.ts.

test('memory keeps the pair until it is cleared', () => {
  const store = inMemory();
  expect(store.load()).toBeUndefined();
  store.save(pair(1));
  expect(store.load()).toEqual(pair(1));
  store.clear();
  expect(store.load()).toBeUndefined();
});
