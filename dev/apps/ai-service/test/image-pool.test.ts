import { afterEach, expect, test } from 'vitest';
import { PoolBusyError, startImagePool, type ImagePool } from '../image/pool.ts';
import { blankPng, skinPhoto } from '../../../../test/support/images.ts';

let pool: ImagePool | undefined;
afterEach(() => pool?.stop());

/** Takes a second or so to decode: long enough for a test to act meanwhile. */
const large = () => ({ bytes: blankPng(7_000, 7_000), dermoscopic: false });
const small = async () => ({ bytes: await skinPhoto(), dermoscopic: false });
const never = new AbortController().signal;

test('a job whose signal aborts is given up while it runs, and frees its thread for the next', async () => {
  pool = startImagePool({ threads: 1 });
  const giveUp = new AbortController();
  const running = pool.inspect(large(), giveUp.signal);
  const next = pool.inspect(await small(), never);
  giveUp.abort(new Error('nobody waits any more'));
  await expect(running).rejects.toThrow('nobody waits any more');
  expect((await next).verdict.isValid).toBe(true);
});

test('a job whose signal aborts while it waits is never started', async () => {
  pool = startImagePool({ threads: 1 });
  const giveUp = new AbortController();
  const running = pool.inspect(large(), never);
  const waiting = pool.inspect(await small(), giveUp.signal);
  giveUp.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await expect(pool.inspect(await small(), giveUp.signal)).rejects.toThrow('gone');
  expect((await running).measured?.widthPx).toBe(7_000);
});

test('a job too many is refused at once instead of waiting', async () => {
  pool = startImagePool({ threads: 1, maxWaiting: 1 });
  const photo = await small();
  const running = pool.inspect(large(), never);
  const waiting = pool.inspect(photo, never);
  await expect(pool.inspect(photo, never)).rejects.toThrow(PoolBusyError);
  await Promise.all([running, waiting]);
});

test('a thread that dies fails its own job only', async () => {
  pool = startImagePool({ threads: 1 });
  // Bytes that cannot be bytes make the thread throw outside the decoder.
  const broken = pool.inspect({ bytes: null as unknown as Uint8Array, dermoscopic: false }, never);
  const next = pool.inspect(await small(), never);
  await expect(broken).rejects.toThrow('The image thread ended early.');
  expect((await next).verdict.isValid).toBe(true);
});

test('stopping refuses what still waits', async () => {
  pool = startImagePool({ threads: 1 });
  const running = pool.inspect(large(), never);
  const waiting = pool.inspect(await small(), never);
  const outcomes = Promise.allSettled([running, waiting]);
  await pool.stop();
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
