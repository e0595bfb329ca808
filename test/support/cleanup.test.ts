import { expect, test } from 'vitest';
import { sharedOnce } from './cleanup.ts';

test('what is shared is made once, and again only after it could not be made', async () => {
  let tries = 0;
  const make = sharedOnce(async () => {
    tries += 1;
    if (tries === 1) throw new Error('the port is taken');
    return tries;
  });
  await expect(make()).rejects.toThrow('the port is taken');
  expect(await Promise.all([make(), make()])).toEqual([2, 2]);
  expect(await make()).toBe(2);
});
