import { expect, test } from 'vitest';
import { authEvents } from '../support/accounts.ts';
import { testApp } from '../support/app.ts';

const app = await testApp();

async function partitions(): Promise<string[]> {
  const { rows } = await app.db.query<{ name: string }>(
    `SELECT relid::regclass::text AS name FROM pg_partition_tree('event_logs') WHERE isleaf ORDER BY 1`,
  );
  return rows.map(({ name }) => name).filter((name) => !name.endsWith('_default'));
}

async function run(): Promise<number> {
  const before = app.output.length;
  await app.host.runTimer('keepPartitions');
  const line = app.output.slice(before).find((text) => text.includes('"event":"timer"')) ?? '';
  return (JSON.parse(line.slice(line.indexOf('{'))) as { made: number }).made;
}

test('there is a partition for this period and the next two of every category', async () => {
  expect(app.host.functions.map(({ name }) => name)).toContain('keepPartitions');
  expect(await run()).toBe(0);
  const names = await partitions();
  for (const category of ['auth', 'ai', 'system', 'access', 'case', 'admin']) {
    expect(names.filter((name) => name.startsWith(`event_logs_${category}_`))).toHaveLength(3);
  }
});

test('a missing partition is made again, and events that came meanwhile are moved into it', async () => {
  const [current] = (await partitions()).filter((name) => name.startsWith('event_logs_auth_'));
  await app.db.query(`DROP TABLE ${current}`);
  await app.request('/api/auth/login', {
    json: { email: 'nobody@example.org', password: 'whatever' },
    headers: { 'x-request-id': 'without-partition' },
  });
  const inDefault = () => app.db.query('SELECT request_id FROM event_logs_auth_default');
  expect((await inDefault()).rows).toEqual([{ request_id: 'without-partition' }]);
  expect(await run()).toBe(1);
  expect((await inDefault()).rows).toEqual([]);
  const moved = await app.db.query(`SELECT request_id FROM ${current}`);
  expect(moved.rows).toEqual([{ request_id: 'without-partition' }]);
  expect(await authEvents(app, 'without-partition')).toHaveLength(1);
});
