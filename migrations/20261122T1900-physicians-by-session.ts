import type { Kysely } from 'kysely';
import { grantLookup } from './rights/table-rights.ts';

/** The lookup of a session reads the physician's profile as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await grantLookup(db, 'physicians');
}
