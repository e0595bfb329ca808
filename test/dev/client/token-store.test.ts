import { expect, test } from 'vitest';
import { inMemory, inWebStorage } from '../../../dev/client/src/index.ts';
import { pair } from './scripted-gateway.ts';

function storageWith(entry: string | null) {
  const entries = new Map(entry === null ? [] : [['dermagate.tokens', entry]]);
  return {
    entries,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
}

test.each([
  ['memory', () => inMemory()],
  ['Web Storage', () => inWebStorage(storageWith(null))],
])('%s keeps the pair until it is cleared', (_, create) => {
  const store = create();
  expect(store.load()).toBeUndefined();
  store.save(pair(1));
  expect(store.load()).toEqual(pair(1));
  store.clear();
  expect(store.load()).toBeUndefined();
});

test('the pair is one entry of Web Storage, which a later page finds', () => {
  const storage = storageWith(null);
  inWebStorage(storage).save(pair(3));
  expect([...storage.entries.keys()]).toEqual(['dermagate.tokens']);
  expect(inWebStorage(storage).load()).toEqual(pair(3));
  expect(inWebStorage(storage, 'other').load()).toBeUndefined();
});

test.each(['', 'null', '{', '"text"', '[]', '{"access_token":"a"}', '{"access_token":1,"refresh_token":2}'])(
  'an entry that is no pair, %j, is nobody signed in',
  (entry) => {
    expect(inWebStorage(storageWith(entry)).load()).toBeUndefined();
  },
);

test('work on one entry of Web Storage takes turns; work on another does not wait for it', async () => {
  const order: string[] = [];
  let finish = () => {};
  const first = inWebStorage(storageWith(null)).exclusively?.(async () => {
    order.push('first begins');
    await new Promise<void>((resolve) => (finish = resolve));
    order.push('first ends');
  });
  const second = inWebStorage(storageWith(null)).exclusively?.(async () => void order.push('second'));
  await inWebStorage(storageWith(null), 'other').exclusively?.(async () => void order.push('other'));
  finish();
  await Promise.all([first, second]);
  expect(order).toEqual(['first begins', 'other', 'first ends', 'second']);
});
