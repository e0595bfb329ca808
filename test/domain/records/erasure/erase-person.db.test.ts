import { randomUUID } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import { expect, test } from 'vitest';
import { erasePerson } from '../../../../src/domain/records/erasure/erase-person.ts';
import { findPerson, type Person } from '../../../../src/domain/records/erasure/find-person.ts';
import { createMemory } from '../../../../src/lib/app/memory.ts';
import type { DB } from '../../../../src/lib/db/tables.ts';
import { createLog } from '../../../../src/lib/telemetry/log.ts';
import { tenantRows } from '../../../support/accounts.ts';
import { testDatabase } from '../../../support/database.ts';

// Two runs at the same time. What the erasure of a person does is in test/cli/erase-user.

const database = await testDatabase();
const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: database.db }) });
const tools = {
  db,
  memory: createMemory(),
  blobs: { remove: async () => undefined },
  clock: { now: () => new Date() },
  log: createLog(() => undefined),
  fieldCrypto: undefined,
};

test('a run that finds the account erased by another one since has nothing to do, and records nothing', async () => {
  const email = `${randomUUID()}@example.org`;
  await tenantRows(
    database,
    `INSERT INTO users (uuid, tenant_id, email, password_hash, role) VALUES (gen_random_uuid(), 1, $1, '!', 'patient')`,
    [email],
  );
  const person = (await findPerson(db, { email })) as Person;
  expect(await erasePerson(person, tools)).toMatchObject({ removed: { users: 1 } });
  const { removed, events } = await erasePerson(person, tools);
  expect([Object.values(removed).filter((count) => count > 0), events]).toEqual([[], 0]);
  const recorded = await tenantRows(
    database,
    `SELECT action FROM event_logs WHERE subject_uuid = $1 AND action = 'user_erased'`,
    [person.account?.uuid],
  );
  expect(recorded).toHaveLength(1);
});
