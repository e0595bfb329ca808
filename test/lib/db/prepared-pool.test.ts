import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { preparedPool } from '../../../src/lib/db/prepared-pool.ts';

/** A pool of one connection, which answers until a statement says that it `hangs`. */
function fakePool() {
  const sent: string[] = [];
  const released: unknown[] = [];
  const client = {
    async query(query: string | { text: string }) {
      const text = typeof query === 'string' ? query : query.text;
      sent.push(text);
      if (text.includes('hangs')) throw new Error('Query read timeout');
      return { command: '', rowCount: 0, rows: [] };
    },
    release: (destroy: unknown) => void released.push(destroy),
  };
  const pool = { options: {}, connect: async () => client } as unknown as Pool;
  return { pool: preparedPool(pool, () => undefined), sent, released };
}

test('a connection that did not answer in time leaves the pool, and no rollback waits behind its statement', async () => {
  const { pool, sent, released } = fakePool();
  const client = await pool.connect();
  await client.query('begin', []);
  await client.query('SELECT 1', []);
  await expect(client.query('SELECT hangs($1)', [1])).rejects.toThrow('Query read timeout');
  await client.query('rollback', []);
  client.release();
  expect(sent).toEqual(['BEGIN; SELECT 1', 'SELECT hangs($1)']);
  expect(released).toEqual([true]);
});

test('one that answers is used again', async () => {
  const { pool, sent, released } = fakePool();
  const client = await pool.connect();
  await client.query('begin', []);
  await client.query('SELECT 1', []);
  await client.query('rollback', []);
  client.release();
  expect(sent).toEqual(['BEGIN; SELECT 1', 'rollback']);
  expect(released).toEqual([false]);
});
