import type { Kysely } from 'kysely';
import { grantLookup } from './rights/table-rights.ts';

/** For `find_push_token_tenants`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await grantLookup(db, 'push_devices');
}
