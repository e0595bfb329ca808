import { type Kysely, sql } from 'kysely';

/** A session that ended because its user opened more than `LIMIT_SESSIONS_PER_USER` has a reason of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE sessions DROP CONSTRAINT sessions_revoked_reason_check`.execute(db);
  // NOT VALID: what is there fits, because only a value was added.
  await sql`
    ALTER TABLE sessions ADD CONSTRAINT sessions_revoked_reason_check CHECK (revoked_reason IN
      ('logout', 'logout_all', 'reuse_detected', 'password_changed', 'password_reset', 'replaced',
       'account_inactive', 'revoked_by_user', 'revoked_by_admin', 'session_limit', 'address_released')) NOT VALID`.execute(
    db,
  );
}
