import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import {
  type ParameterName,
  parameterSchemas,
} from '../../../../src/domain/platform/parameters/parameter-schemas.ts';
import { readParameters } from '../../../../src/domain/platform/parameters/read-parameters.ts';
import { createMemory } from '../../../../src/lib/app/memory.ts';
import { connectDatabase } from '../../../../src/lib/db/connect.ts';
import { inTenant } from '../../../../src/lib/db/tenant.ts';
import { createLog } from '../../../../src/lib/telemetry/log.ts';
import { createTenant } from '../../../support/accounts.ts';
import { afterwards } from '../../../support/cleanup.ts';
import { testDatabase } from '../../../support/database.ts';

const { url, db: owner } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 2, onIdleError: () => undefined });
afterwards(() => pool.end());
const one = await createTenant({ db: owner }, 'one');
const two = await createTenant({ db: owner }, 'two');

const lines: string[] = [];
let now = Date.now();
const source = {
  db,
  clock: { now: () => new Date(now) },
  log: createLog((_level, line) => lines.push(line)),
  memory: createMemory(),
};
const names = Object.keys(parameterSchemas) as ParameterName[];

const set = (tenantId: number, name: ParameterName, key: string, value: unknown) =>
  inTenant(db, tenantId, (tx) => {
    const [branch, subBranch] = name.split('/');
    return sql`
      INSERT INTO application_parameters (tenant_id, branch, sub_branch, key, value, visibility)
      VALUES (${tenantId}, ${branch}, ${subBranch}, ${key}, ${JSON.stringify(value)}::jsonb, 'internal')
      ON CONFLICT ON CONSTRAINT application_parameters_once DO UPDATE SET value = excluded.value`.execute(tx);
  });

beforeEach(async () => {
  // What was read before is too old for the next test.
  now += 60_000;
  lines.length = 0;
  for (const tenant of [one, two]) {
    await inTenant(db, tenant, (tx) =>
      tx.deleteFrom('application_parameters').where('tenant_id', '=', tenant).execute(),
    );
  }
});

test.each(names)('the platform’s %s equals the defaults of the code', async (name) => {
  expect(await readParameters(source, undefined, name)).toEqual(parameterSchemas[name].parse({}));
  const [branch, subBranch] = name.split('/');
  const seeded = await owner.query<{ key: string; value: unknown; value_schema: string }>(
    'SELECT key, value, value_schema FROM application_parameters WHERE branch = $1 AND sub_branch = $2',
    [branch, subBranch],
  );
  expect(Object.fromEntries(seeded.rows.map(({ key, value }) => [key, value]))).toEqual(
    parameterSchemas[name].parse({}),
  );
  for (const row of seeded.rows) expect(row.value_schema).toBe(name);
});

test('a tenant changes one key for itself; the others stay those of the platform', async () => {
  await set(one, 'queue/sla_hours', 'routine', 48);
  expect(await readParameters(source, one, 'queue/sla_hours')).toMatchObject({ emergency: 1, routine: 48 });
  expect(await readParameters(source, two, 'queue/sla_hours')).toMatchObject({ emergency: 1, routine: 120 });
});

test('an invalid value counts as none and is logged without the value; so does one of the platform', async () => {
  await set(one, 'queue/sla_hours', 'emergency', 'never-ever');
  expect(await readParameters(source, one, 'queue/sla_hours')).toMatchObject({ emergency: 1 });
  expect(lines.join('\n')).toContain('"parameter":"queue/sla_hours/emergency"');
  expect(lines.join('\n')).not.toContain('never-ever');
  now += 60_000;
  const change = (value: string) =>
    owner.query(
      `UPDATE application_parameters SET value = $1 WHERE tenant_id IS NULL AND sub_branch = 'sla_hours' AND key = 'emergency'`,
      [value],
    );
  await change('-1');
  try {
    expect(await readParameters(source, one, 'queue/sla_hours')).toMatchObject({ emergency: 1 });
    expect(lines.filter((line) => line.includes('parameter_invalid'))).toHaveLength(3);
  } finally {
    await change('1');
  }
});

test('a change is seen after five seconds, and one read serves all who ask at once', async () => {
  const read = () => readParameters(source, one, 'legal/consent');
  const first = { version: '1', resource: 'consent' };
  expect(await Promise.all([read(), read(), read()])).toEqual([first, first, first]);
  await set(one, 'legal/consent', 'version', '2');
  now += 4999;
  expect(await read()).toMatchObject({ version: '1' });
  now += 1;
  expect(await read()).toMatchObject({ version: '2' });
});

test('a failed read is not remembered', async () => {
  await owner.query('ALTER TABLE application_parameters RENAME TO elsewhere');
  await expect(readParameters(source, one, 'mobile/app')).rejects.toThrow();
  await owner.query('ALTER TABLE elsewhere RENAME TO application_parameters');
  expect(await readParameters(source, one, 'mobile/app')).toMatchObject({ min_version: null });
});

test('a key that the service does not know changes nothing', async () => {
  for (const key of ['__proto__', 'constructor']) {
    const inserted = set(one, 'mobile/app', key, { min_version: '9' });
    await inserted.catch(() => undefined);
  }
  expect(await readParameters(source, one, 'mobile/app')).toEqual(parameterSchemas['mobile/app'].parse({}));
});
