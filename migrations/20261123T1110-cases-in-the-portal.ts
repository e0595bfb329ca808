import { type Kysely, sql } from 'kysely';

/** The portal offers cases unless a tenant has switched them off: doctors have a screen for them now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    UPDATE application_parameters SET value = 'true', version = version + 1, updated_at = now()
    WHERE tenant_id IS NULL AND branch = 'portal' AND sub_branch = 'features' AND key = 'cases'`.execute(db);
}
