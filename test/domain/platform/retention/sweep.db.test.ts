import { expect, test } from 'vitest';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { sweep } from '../../../../src/domain/platform/retention/sweep.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';

const { url, db: owner } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 2, onIdleError: () => undefined });
afterwards(() => pool.end());

test('at its deadline the sweep stops; the next one goes on', async () => {
  await owner.query(`
    INSERT INTO throttle_counters (key, window_ends_at)
    SELECT sha256(n::text::bytea), now() - interval '1 s' FROM generate_series(1, 1500) AS n`);
  const passed = AbortSignal.abort();
  expect(await sweep(db, new Date(), passed)).toMatchObject({ throttle: 0 });
  const endsDuringFirstBatch = AbortSignal.timeout(1);
  const first = await sweep(db, new Date(), endsDuringFirstBatch);
  const second = await sweep(db, new Date(), AbortSignal.timeout(60_000));
  expect(first.throttle).toBeLessThanOrEqual(1000);
  expect(first.throttle + second.throttle).toBe(1500);
});

test('locked rows are skipped, not waited for', async () => {
  await owner.query(`
    INSERT INTO throttle_counters (key, window_ends_at)
    VALUES (sha256('held'), now() - interval '1 s'), (sha256('free'), now() - interval '1 s')`);
  const holder = await owner.connect();
  await holder.query('BEGIN');
  await holder.query(`SELECT FROM throttle_counters WHERE key = sha256('held') FOR UPDATE`);
  expect(await sweep(db, new Date(), AbortSignal.timeout(60_000))).toMatchObject({ throttle: 1 });
  await holder.query('ROLLBACK');
  holder.release();
  expect(await sweep(db, new Date(), AbortSignal.timeout(60_000))).toMatchObject({ throttle: 1 });
});
