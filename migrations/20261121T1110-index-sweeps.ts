import { type Kysely, sql } from 'kysely';

// What `npm run db:plans` found on ten million tokens: the clean-up looks at one tenant at a time, so an index on the
// time alone makes each tenant read what all tenants have; and abandoned messages were looked for in every message.
export async function up(db: Kysely<unknown>): Promise<void> {
  const byTenant = {
    refresh_tokens_to_clean: 'refresh_tokens',
    reset_tokens_to_clean: 'password_reset_tokens',
    invitations_to_clean: 'invitations',
  };
  for (const [index, table] of Object.entries(byTenant)) {
    await sql`DROP INDEX ${sql.id(index)}`.execute(db);
    await sql`CREATE INDEX ${sql.id(index)} ON ${sql.table(table)} (tenant_id, expires_at)`.execute(db);
  }
  // A session ends by whichever comes first; least() passes over NULL.
  await sql`DROP INDEX sessions_to_clean`.execute(db);
  await sql`
    CREATE INDEX sessions_to_clean
    ON sessions (tenant_id, least(idle_expires_at, absolute_expires_at, revoked_at))`.execute(db);
  await sql`
    CREATE INDEX outbox_messages_claimed ON outbox_messages (consumer, locked_until)
    WHERE dead_at IS NULL AND locked_until IS NOT NULL`.execute(db);
}
