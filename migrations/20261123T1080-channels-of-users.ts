import { type Kysely, sql } from 'kysely';

/** By which channels people want messages, and in which time zone a tenant's quiet hours are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE users
      ADD notify_channels text[] NOT NULL DEFAULT '{mail,push}'
        CHECK (notify_channels <@ ARRAY['mail', 'push'] AND cardinality(notify_channels) <= 2)`.execute(db);
  await sql`
    INSERT INTO application_parameters (branch, sub_branch, key, value, value_schema, visibility)
    VALUES ('notify', 'rules', 'time_zone', '"UTC"', 'notify/rules', 'internal')`.execute(db);
}
