import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Problem } from '../../../../src/contract/problem.ts';
import { withAttempt } from '../../../../src/domain/platform/throttle/throttle.ts';
import type { ThrottleRule } from '../../../../src/domain/platform/throttle/throttle-rule.ts';
import { reserveAttempt } from '../../../../src/domain/platform/throttle/throttle.queries.ts';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';
import { tcpProxy } from '../../../support/tcp-proxy.ts';

// Attempts whose end PostgreSQL cannot take, because it is away by then.

const database = await testDatabase();
const { hostname, port } = new URL(database.url);
const proxy = await tcpProxy({ host: hostname, port: Number(port) });
const url = Object.assign(new URL(database.url), { port: String(proxy.port) }).href;
const { db, pool } = connectDatabase({ url, poolMax: 2, onIdleError: () => undefined });
afterwards(() => pool.end());

const newKey = () => randomBytes(32);
const newRule = (): ThrottleRule => ({ key: newKey(), limit: 10, seconds: 900 });

async function counterOf({ key }: ThrottleRule) {
  const { rows } = await database.db.query<{ attempts: number; in_flight: number }>(
    'SELECT attempts, in_flight FROM throttle_counters WHERE key = $1',
    [key],
  );
  return rows[0];
}

/** An attempt during which PostgreSQL goes away. */
async function attempt(rules: ThrottleRule[], outcome: Problem | undefined, more: object = {}) {
  const failures = ['invalid_credentials'] as const;
  return await withAttempt(db, { rules, now: new Date(), failures, ...more }, async () => {
    proxy.reset();
    if (outcome !== undefined) throw outcome;
    return 'done';
  }).catch((error: unknown) => error);
}

test('an attempt that ends while PostgreSQL is away is counted by its outcome as soon as that is back', async () => {
  const [succeeded, unjudged, failed] = [newRule(), newRule(), newRule()];
  expect(await attempt([succeeded], undefined)).toBe('done');
  proxy.forward();
  const busy = new Problem('busy');
  const addresses = { key: newKey(), member: newKey(), limit: 200, seconds: 900 };
  expect(await attempt([unjudged], busy, { distinct: addresses })).toBe(busy);
  proxy.forward();
  const wrong = new Problem('invalid_credentials');
  expect(await attempt([failed], wrong)).toBe(wrong);
  proxy.forward();
  await expect.poll(() => counterOf(succeeded), { timeout: 10_000 }).toEqual({ attempts: 0, in_flight: 0 });
  await expect.poll(() => counterOf(failed), { timeout: 10_000 }).toEqual({ attempts: 1, in_flight: 0 });
  // It leaves no counter, and its address does not count as tried.
  await expect.poll(() => counterOf(unjudged), { timeout: 10_000 }).toBeUndefined();
  await expect.poll(() => counterOf(addresses), { timeout: 10_000 }).not.toMatchObject({ attempts: 1 });
});

test('it does not count for a window that has begun since', async () => {
  const rule = newRule();
  await attempt([rule], undefined);
  await database.db.query(
    `UPDATE throttle_counters SET attempts = 7, in_flight = 2, window_ends_at = window_ends_at + interval '20 minutes'
     WHERE key = $1`,
    [rule.key],
  );
  const other = newRule();
  proxy.forward();
  await attempt([other], undefined);
  proxy.forward();
  // Recorded after it.
  await expect.poll(() => counterOf(other), { timeout: 10_000 }).toEqual({ attempts: 0, in_flight: 0 });
  expect(await counterOf(rule)).toEqual({ attempts: 7, in_flight: 2 });
});

const now = new Date();
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

test('a window that has ended begins again with all of its attempts, also where some were left', async () => {
  const rule = { key: newKey(), limit: 3, seconds: 60 };
  const waits = [];
  for (const at of [0, 10, 60, 61, 62, 63]) waits.push(await reserveAttempt(db, [rule], later(at)));
  expect(waits).toEqual([0, 0, 0, 0, 0, 57]);
});

test('an address counts as tried once it has failed, once, and later replies change nothing', async () => {
  const network = newKey();
  const addresses = new Map<string, Buffer>();
  const tried = async (name: string, outcome?: 'invalid_credentials' | 'busy') => {
    const member = addresses.get(name) ?? newKey();
    addresses.set(name, member);
    const attempt = {
      rules: [newRule()],
      distinct: { key: network, member, limit: 2, seconds: 60 },
      now,
      failures: ['invalid_credentials'] as const,
    };
    const work = async () => {
      if (outcome !== undefined) throw new Problem(outcome);
      return 'done';
    };
    return await withAttempt(db, attempt, work).catch((error: unknown) => (error as Problem).code);
  };
  const wrong = 'invalid_credentials';
  expect([await tried('a'), await tried('b'), await tried('c', 'busy')]).toEqual(['done', 'done', 'busy']);
  expect([await tried('d', wrong), await tried('d', wrong), await tried('d')]).toEqual([
    wrong,
    wrong,
    'done',
  ]);
  expect([await tried('e', wrong), await tried('f')]).toEqual([wrong, 'rate_limited']);
  expect([await tried('d'), await tried('e')]).toEqual(['done', 'done']);
});

test('addresses that were tried in a window that has ended count anew, and lock the network no longer', async () => {
  const [network, addresses] = [newKey(), [newKey(), newKey(), newKey(), newKey()]];
  const tried = async (address: number, at: number) => {
    const distinct = { key: network, member: addresses[address] ?? newKey(), limit: 2, seconds: 60 };
    const wrong = {
      rules: [newRule()],
      distinct,
      now: later(at),
      failures: ['invalid_credentials'] as const,
    };
    const refused = withAttempt(db, wrong, () => Promise.reject(new Problem('invalid_credentials')));
    return await refused.catch((error: unknown) => (error as Problem).code);
  };
  const codes = [];
  for (const [address, at] of [
    [0, 0],
    [1, 1],
    [2, 2],
    [0, 60],
    [2, 61],
    [3, 62],
  ] as const) {
    codes.push(await tried(address, at));
  }
  const wrong = 'invalid_credentials';
  expect(codes).toEqual([wrong, wrong, 'rate_limited', wrong, wrong, 'rate_limited']);
});
