import { expect } from 'vitest';

/**
 * Checks every item, and fails with a line for each that does not pass: one test for a rule, however many items it has.
 * @param items at least one: a rule that is asked of nothing proves nothing.
 */
export async function expectOfEach<Item>(
  items: Iterable<readonly [name: string, item: Item]>,
  check: (item: Item, name: string) => void | Promise<void>,
): Promise<void> {
  const offenders: string[] = [];
  let count = 0;
  for (const [name, item] of items) {
    count += 1;
    try {
      await check(item, name);
    } catch (error) {
      offenders.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (offenders.length > 0) throw new Error(offenders.join('\n\n'));
  expect(count, 'items').toBeGreaterThan(0);
}
