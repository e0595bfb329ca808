import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createPasswords, type PasswordOptions, type Passwords } from '../../../src/lib/auth/passwords.ts';

const open: Passwords[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((passwords) => passwords.close()));
});

function pool(options: Partial<PasswordOptions>): Passwords {
  const passwords = createPasswords({ pepper: 'p'.repeat(32), cost: 4, threads: 1, ...options });
  open.push(passwords);
  return passwords;
}

/** The order in which jobs end, by network. */
async function orderOf(passwords: Passwords, networks: readonly string[]): Promise<string[]> {
  const ended: string[] = [];
  await Promise.all(
    networks.map(async (network) => {
      await passwords.hash('secret words', network);
      ended.push(network);
    }),
  );
  return ended;
}

test('networks take turns: one job waits for the one at work, not for all that came before it', async () => {
  const flood = Array<string>(60).fill('flood');
  const ended = await orderOf(pool({ queueLimit: 100 }), [...flood, 'home', 'work', 'home']);
  expect(ended.indexOf('home')).toBeLessThanOrEqual(2);
  expect(ended.indexOf('work')).toBeLessThanOrEqual(3);
  expect(ended.lastIndexOf('home')).toBeLessThanOrEqual(5);
  expect(ended).toHaveLength(63);
});

test('eight requests of a network are in their turn at a time, and the rest follow in their order', async () => {
  const passwords = pool({});
  const begun: number[] = [];
  let [inTurn, most] = [0, 0];
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      passwords.inTurn('flood', async () => {
        begun.push(index);
        most = Math.max(most, (inTurn += 1));
        await sleep(5);
        inTurn -= 1;
      }),
    ),
  );
  expect(most).toBe(8);
  expect(begun).toEqual(Array.from({ length: 30 }, (_, index) => index));
});

test('a request that fails gives its turn to the next', async () => {
  const passwords = pool({ perNetwork: 1 });
  const failing = passwords.inTurn('home', () => Promise.reject(new Error('refused')));
  const next = passwords.inTurn('home', async () => 'served');
  await expect(failing).rejects.toThrow('refused');
  await expect(next).resolves.toBe('served');
});

test('what waits behind its own network too long is 429 for that network alone, and its place is free again', async () => {
  const passwords = pool({ maxWaitMs: 150, perNetwork: 2 });
  const flood = Array.from({ length: 6 }, () => passwords.inTurn('flood', () => sleep(400)));
  await expect(passwords.inTurn('home', async () => 'served')).resolves.toBe('served');
  const outcomes = await Promise.allSettled(flood);
  const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as object] : []));
  expect(refused).toHaveLength(4);
  for (const reason of refused) {
    expect(reason).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '2' } });
  }
  await expect(passwords.inTurn('flood', async () => 'served')).resolves.toBe('served');
});

test('what waits for a thread too long is 503: the instance is at fault', async () => {
  const passwords = pool({ cost: 10, maxWaitMs: 250 });
  const networks = Array.from({ length: 40 }, (_, index) => `network ${index}`);
  const outcomes = await Promise.allSettled(networks.map((network) => passwords.hash('words', network)));
  const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as object] : []));
  expect(refused.length).toBeGreaterThan(10);
  for (const reason of refused)
    expect(reason).toMatchObject({ code: 'busy', headers: { 'retry-after': '2' } });
  await sleep(200);
  expect(passwords.load()).toEqual({ running: 0, waiting: 0 });
});
