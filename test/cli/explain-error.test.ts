import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { explainError } from '../../src/cli/explain-error.ts';

const refusal = (message: string, code: string) =>
  Object.assign(new DatabaseError(message, message.length, 'error'), { code });

test.each([
  ['42P01', 'relation "tenants" does not exist'],
  ['42703', 'column "consumer" does not exist'],
  ['42883', 'function open_lanes(integer) does not exist'],
])(
  'a database of another version (%s) is named as the cause, with the command that migrates it',
  (code, message) => {
    expect(explainError(refusal(message, code))).toBe(
      `${message}. The database that DATABASE_URL names was never migrated, or by another version: npm run db:migrate.`,
    );
  },
);

test('any other refusal stays as PostgreSQL words it', () => {
  expect(explainError(refusal('division by zero', '22012'))).toBe('division by zero');
});
