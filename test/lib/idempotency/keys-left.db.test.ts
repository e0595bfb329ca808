import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { connectDatabase } from '../../../src/lib/db/connect.ts';
import { withIdempotencyKey } from '../../../src/lib/idempotency/idempotency.ts';
import { afterwards } from '../../support/cleanup.ts';
import { testDatabase } from '../../support/database.ts';
import { tcpProxy } from '../../support/tcp-proxy.ts';

const { url, db: owner } = await testDatabase();
const server = new URL(url);
const line = await tcpProxy({ host: server.hostname, port: Number(server.port) });
const here = connect(Object.assign(new URL(url), { host: `127.0.0.1:${line.port}` }).href);
const elsewhere = connect(url);

function connect(address: string) {
  const { db, pool } = connectDatabase({ url: address, poolMax: 2, onIdleError: () => undefined });
  afterwards(() => pool.end());
  return db;
}

const request = (key: string) => ({
  key,
  tenantId: 1,
  userKey: 'ann',
  route: 'api/x',
  content: ['x'],
  now: new Date(),
  runsAtMostMs: 60_000,
});
const isRunning = async () =>
  (await owner.query(`SELECT FROM idempotency_keys WHERE state = 'running'`)).rowCount === 1;
const answer = async () => 'the answer';

test('a key whose reservation got no reply is free for a retry, and in use for other instances', async () => {
  const key = randomUUID();
  const work = vi.fn(answer);
  // A connection that is there already: the request is one message.
  await sql`SELECT 1`.execute(here);
  line.mute();
  const first = withIdempotencyKey(here, request(key), work);
  first.catch(() => undefined);
  await vi.waitFor(async () => expect(await isRunning()).toBe(true), 30_000);
  line.reset();
  line.forward();
  await expect(first).rejects.toThrow();
  expect(work).not.toHaveBeenCalled();
  await expect(withIdempotencyKey(elsewhere, request(key), answer)).rejects.toMatchObject({
    code: 'idempotency_in_progress',
  });
  const spending = withIdempotencyKey(here, request(key), async (done) => {
    await here.transaction().execute((tx) => done(tx, 'the reply'));
    return 'the reply';
  });
  expect(await spending).toEqual({ reply: 'the reply', replayed: false });
  expect(await withIdempotencyKey(here, request(key), work)).toEqual({ reply: 'the reply', replayed: true });
});

test('a key that a failed request could not give back is free for a retry, which holds it as any other', async () => {
  const key = randomUUID();
  const failing = withIdempotencyKey(here, request(key), async () => {
    line.reset();
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
  expect(await isRunning()).toBe(true);
  line.forward();
  const retry = withIdempotencyKey(here, request(key), async () => {
    await expect(withIdempotencyKey(here, request(key), answer)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
    return 'the answer';
  });
  expect(await retry).toEqual({ reply: 'the answer', replayed: false });
});
