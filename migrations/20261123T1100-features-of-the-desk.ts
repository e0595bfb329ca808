import { type Kysely, sql } from 'kysely';

/** Whether the desk shows what the AI service found before a physician opens it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    INSERT INTO application_parameters (branch, sub_branch, key, value, value_schema, visibility)
    VALUES ('desk', 'features', 'show_ai_findings_open', 'false', 'desk/features', 'authenticated')`.execute(
    db,
  );
}
