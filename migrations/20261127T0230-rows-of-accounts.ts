import { type Kysely, sql } from 'kysely';

export const transaction = false;

const indexes = {
  refresh_tokens_of_user: sql`refresh_tokens (tenant_id, user_id)`,
  ml_results_of_user: sql`ml_diagnosis_results (tenant_id, user_id) WHERE user_id IS NOT NULL`,
  images_of_owner: sql`images (tenant_id, owner_user_id)`,
  user_check_logs_of_user: sql`user_check_logs (tenant_id, user_id) WHERE user_id IS NOT NULL`,
  invitations_by_inviter: sql`invitations (tenant_id, invited_by)`,
};

/** For the foreign keys to `users`: without them erasure reads whole tables, while it has rows of live cases locked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, of] of Object.entries(indexes)) {
    // An interrupted run leaves some of them, or an invalid one.
    await sql`DROP INDEX CONCURRENTLY IF EXISTS ${sql.ref(name)}`.execute(db);
    await sql`CREATE INDEX CONCURRENTLY ${sql.ref(name)} ON ${of}`.execute(db);
  }
}
