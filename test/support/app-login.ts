import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { query } from '../../dev/services/postgres.ts';
import { grantAppRole } from '../../src/cli/prepare-database.ts';
import { afterwards } from './cleanup.ts';

/**
 * The URL of a database for a login like that of a deployed app: `npm run db:prepare` makes it on Azure, but for the Entra
 * token. It may become `dermagate_app`, and has no rights of its own.
 *
 * @param ownerUrl of the same database, for the owner of the tables
 */
export async function appLogin(ownerUrl: string): Promise<string> {
  const { superuserUrl } = inject('services');
  const role = `id-dermagate-${randomBytes(4).toString('hex')}`;
  const password = randomBytes(9).toString('hex');
  await query(superuserUrl, `CREATE ROLE "${role}" LOGIN PASSWORD '${password}'`);
  const administrator = new pg.Client({ connectionString: ownerUrl });
  await administrator.connect();
  await grantAppRole(administrator, role, '00000000-0000-0000-0000-000000000000');
  await administrator.end();
  afterwards(async () => {
    await query(ownerUrl, `REVOKE dermagate_app FROM "${role}"`);
    await query(superuserUrl, `DROP ROLE "${role}"`);
  });
  return Object.assign(new URL(ownerUrl), { username: role, password }).href;
}
