import { sql } from 'kysely';
import type { EventRow } from '../../../lib/app/audit.ts';
import type { Db } from '../../../lib/db/connect.ts';

export async function insertEvent(db: Db, row: EventRow): Promise<void> {
  await db
    .insertInto('event_logs')
    .values({ ...row, detail: JSON.stringify(row.detail) })
    .execute();
}

/** Appends an event, or counts it where one of this kind is younger than `seconds`. */
export async function insertOrCountRefusal(
  db: Db,
  { kind, seconds, now }: { kind: Buffer; seconds: number; now: Date },
  row: EventRow,
): Promise<void> {
  await sql`SELECT record_refusal(${kind}, ${seconds}, ${now}, ${JSON.stringify(row)}::jsonb)`.execute(db);
}
