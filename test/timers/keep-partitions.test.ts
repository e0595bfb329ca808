import { expect, test } from 'vitest';
import { authEvents } from '../support/accounts.ts';
import { testApp } from '../support/app.ts';

const app = await testApp();

async function leaves(): Promise<string[]> {
  const { rows } = await app.db.query<{ name: string }>(
    `SELECT relid::regclass::text AS name FROM pg_partition_tree('event_logs') WHERE isleaf ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

const partitions = async () => (await leaves()).filter((name) => !name.endsWith('_default'));

interface Counts {
  made: number;
  dropped: number;
  postponed: number;
}

async function run(): Promise<Counts> {
  const before = app.output.length;
  await app.runTimer('keepPartitions');
  const line = app.output.slice(before).find((text) => text.includes('"event":"timer"')) ?? '';
  const { made, dropped, postponed } = JSON.parse(line.slice(line.indexOf('{'))) as Counts;
  return { made, dropped, postponed };
}

test('there is a partition for this period and the next two of every category', async () => {
  expect(await run()).toEqual({ made: 0, dropped: 0, postponed: 0 });
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
  expect(await run()).toMatchObject({ made: 1 });
  expect((await inDefault()).rows).toEqual([]);
  const moved = await app.db.query(`SELECT request_id FROM ${current}`);
  expect(moved.rows).toEqual([{ request_id: 'without-partition' }]);
  expect(await authEvents(app, 'without-partition')).toHaveLength(1);
});

test('events of a time without partitions get them afterwards, and are dropped after their retention', async () => {
  await app.db.query(`
    INSERT INTO event_logs (uuid, category, action, outcome, actor_kind, request_id, at)
    SELECT gen_random_uuid(), category, 'test', 'success', 'system', 'of-the-past', at::timestamptz
    FROM (VALUES ('auth', now() - interval '100 days'), ('case', now() - interval '3 years'),
      ('system', '2019-12-31T23:59:59.999Z'), ('system', '2020-01-01T00:00:00Z')) AS rows (category, at)`);
  // One by one: the policy of the whole table hides events without a tenant from every tenant.
  const placed = async () => {
    const names: string[] = [];
    for (const name of await leaves()) {
      const { rows } = await app.db.query(`SELECT FROM ${name} WHERE request_id = 'of-the-past'`);
      names.push(...rows.map(() => name));
    }
    return names;
  };
  expect(await placed()).toEqual([
    'event_logs_auth_default',
    'event_logs_case_default',
    'event_logs_system_default',
    'event_logs_system_default',
  ]);
  expect(await run()).toEqual({ made: 4, dropped: 2, postponed: 0 });
  expect(await placed()).toEqual([
    expect.stringMatching(/^event_logs_auth_20\d\dm\d\d$/),
    expect.stringMatching(/^event_logs_case_20\d\d$/),
  ]);
  expect(app.output.join('\n')).toMatch(/event_logs_system_2019m12[^]*event_logs_system_2020m01/);
  expect(await run()).toEqual({ made: 0, dropped: 0, postponed: 0 });
});

test('a partition past its retention is dropped, with a log line; the app’s own role may drop none', async () => {
  await app.db.query(`CREATE TABLE event_logs_system_2020m01 PARTITION OF event_logs_system
                      FOR VALUES FROM ('2020-01-01') TO ('2020-02-01')`);
  expect(await partitions()).toContain('event_logs_system_2020m01');
  expect(await run()).toEqual({ made: 0, dropped: 1, postponed: 0 });
  expect(await partitions()).not.toContain('event_logs_system_2020m01');
  const line = app.output.findLast((text) => text.includes('event_partition_dropped'));
  expect(line).toContain('event_logs_system_2020m01');
  const [kept = ''] = await partitions();
  const client = await app.db.connect();
  await client.query('SET ROLE dermagate_app');
  await expect(client.query(`DROP TABLE ${kept}`)).rejects.toThrow('must be owner');
  await client.query('RESET ROLE');
  client.release();
});
