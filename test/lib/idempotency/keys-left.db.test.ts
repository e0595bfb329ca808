import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { createMemory, type Memory } from '../../../src/lib/app/memory.ts';
import { connectDatabase, type Db, type Tx } from '../../../src/lib/db/connect.ts';
import { keysLeft } from '../../../src/lib/idempotency/keys-left.ts';
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
  return { db, memory: createMemory() };
}

const request = (key: string, now = new Date(), content = ['x']) => ({
  key,
  tenantId: 1,
  userKey: 'ann',
  route: 'api/x',
  content,
  now,
  runsAtMostMs: 60_000,
});

/** An app that serves requests: its database, and what it remembers of keys. */
interface Instance {
  db: Db;
  memory: Memory;
}

/** As an instance runs a request. */
const run = <Reply>(
  { db, memory }: Instance,
  asked: ReturnType<typeof request>,
  work: (done: (tx: Tx, reply: Reply) => Promise<void>) => Promise<Reply>,
) => withIdempotencyKey(db, { ...asked, keysLeft: memory.of(keysLeft) }, work);
const isRunning = async () =>
  (await owner.query(`SELECT FROM idempotency_keys WHERE state = 'running'`)).rowCount === 1;
const answer = async () => 'the answer';
/** Does the work and spends the key with it. */
const spend = (by: Instance, asked: ReturnType<typeof request>, reply: string) =>
  run<string>(by, asked, async (done) => {
    await by.db.transaction().execute((tx) => done(tx, reply));
    return reply;
  });

/** The connection is lost before the key can be given back. */
async function failWithoutGivingBack(key: string): Promise<void> {
  const failing = run(here, request(key), async () => {
    line.reset();
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
}

test('a key whose reservation got no reply is free for a retry, and in use for other instances', async () => {
  const key = randomUUID();
  const work = vi.fn(answer);
  // A connection that is there already: the request is one message.
  await sql`SELECT 1`.execute(here.db);
  line.mute();
  const first = run(here, request(key), work);
  first.catch(() => undefined);
  await vi.waitFor(async () => expect(await isRunning()).toBe(true), 30_000);
  line.reset();
  line.forward();
  await expect(first).rejects.toThrow();
  expect(work).not.toHaveBeenCalled();
  await expect(run(elsewhere, request(key), answer)).rejects.toMatchObject({
    code: 'idempotency_in_progress',
  });
  expect(await spend(here, request(key), 'the reply')).toEqual({ reply: 'the reply', replayed: false });
  expect(await run(here, request(key), work)).toEqual({ reply: 'the reply', replayed: true });
});

test('a key that a failed request could not give back is free for a retry after others that PostgreSQL never saw', async () => {
  const key = randomUUID();
  await failWithoutGivingBack(key);
  for (let retry = 0; retry < 3; retry += 1) {
    await expect(run(here, request(key), answer)).rejects.not.toThrow('failed');
  }
  line.forward();
  expect(await spend(here, request(key), 'the reply')).toEqual({ reply: 'the reply', replayed: false });
});

test('a key that a failed request could not give back is free for a retry, which holds it as any other', async () => {
  const key = randomUUID();
  await failWithoutGivingBack(key);
  expect(await isRunning()).toBe(true);
  line.forward();
  const retry = run(here, request(key), async () => {
    await expect(run(here, request(key), answer)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
    return 'the answer';
  });
  expect(await retry).toEqual({ reply: 'the answer', replayed: false });
});

test('a retry gets the first reply for a day, however long after the first request, and then the work is done anew', async () => {
  const key = randomUUID();
  const begun = new Date();
  const later = (ms: number) => new Date(begun.getTime() + ms);
  const dayMs = 24 * 60 * 60 * 1000;
  expect(await spend(elsewhere, request(key, begun), 'first')).toEqual({ reply: 'first', replayed: false });
  for (const now of [later(0), later(60_000), later(dayMs - 1)]) {
    expect(await spend(elsewhere, request(key, now), 'second')).toEqual({ reply: 'first', replayed: true });
  }
  expect(await spend(elsewhere, request(key, later(dayMs)), 'second')).toEqual({
    reply: 'second',
    replayed: false,
  });
});

test('a request that fails after its work is committed has spent its key', async () => {
  const key = randomUUID();
  const failing = run(elsewhere, request(key), async (done) => {
    await elsewhere.db.transaction().execute((tx) => done(tx, 'first'));
    throw new Error('failed afterwards');
  });
  await expect(failing).rejects.toThrow('failed afterwards');
  expect(await spend(elsewhere, request(key), 'second')).toEqual({ reply: 'first', replayed: true });
});

test('parts of a request that are put together otherwise are another request', async () => {
  const key = randomUUID();
  await spend(elsewhere, request(key, new Date(), ['photo', 's']), 'first');
  for (const content of [['photos'], ['phot', 'os'], ['s', 'photo'], ['photo', 's', '']]) {
    await expect(spend(elsewhere, request(key, new Date(), content), 'second')).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  }
});
