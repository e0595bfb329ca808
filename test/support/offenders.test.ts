import { expect, test } from 'vitest';
import { expectOfEach } from './offenders.ts';

const isEven = (value: number) => expect(value % 2).toBe(0);

test('names every item that does not pass, and asks something', async () => {
  await expectOfEach([['two', 2]], isEven);
  const odd = expectOfEach(
    [
      ['one', 1],
      ['two', 2],
      ['three', 3],
    ] as const,
    isEven,
  );
  await expect(odd).rejects.toThrow(/one: [\s\S]*three: /);
  await expect(odd).rejects.not.toThrow(/two: /);
  await expect(expectOfEach([], isEven)).rejects.toThrow();
});
