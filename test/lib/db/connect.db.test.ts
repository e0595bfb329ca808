import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/lib/configuration/config.ts';
import { connectDatabase } from '../../../src/lib/db/connect.ts';
import { testDatabase } from '../../support/database.ts';

const { url } = await testDatabase();

async function roleAt(address: string): Promise<string | undefined> {
  const { db, pool } = connectDatabase({ url: address, poolMax: 1, onIdleError: () => undefined });
  try {
    const { rows } = await sql<{ role: string }>`SELECT current_user AS role`.execute(db);
    return rows[0]?.role;
  } finally {
    await pool.end();
  }
}

function refusedKeys(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ key }) => key);
    throw error;
  }
  return [];
}

test('connections have the role of the app', async () => {
  expect(await roleAt(url)).toBe('dermagate_app');
  expect(refusedKeys({ DATABASE_URL: url, AZURE_FUNCTIONS_ENVIRONMENT: 'Development' })).not.toContain(
    'DATABASE_URL',
  );
});

test.each(['options=', 'options=-c%20timezone%3DUTC', 'op%74ions=-c%20timezone%3DUTC'])(
  'with %s in the address they would have that of the owner, past row-level security: refused at the start',
  async (options) => {
    const DATABASE_URL = `${url}${url.includes('?') ? '&' : '?'}${options}`;
    expect(await roleAt(DATABASE_URL)).not.toBe('dermagate_app');
    expect(refusedKeys({ DATABASE_URL, AZURE_FUNCTIONS_ENVIRONMENT: 'Development' })).toContain(
      'DATABASE_URL',
    );
  },
);
