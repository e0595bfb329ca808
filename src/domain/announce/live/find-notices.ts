import { sql } from 'kysely';
import type { Notice } from '../../../contract/notice.ts';
import type { Db } from '../../../lib/db/connect.ts';
import type { Asked } from '../../../lib/live/streams.ts';

/** Notices of users in any tenants, of each after the given id, the oldest first, a hundred at most; one query. */
export async function findNotices(db: Db, asked: readonly Asked[], now: Date): Promise<Notice[]> {
  const column = (name: keyof Asked) => asked.map((each) => each[name]);
  const { rows } = await sql<Notice>`
    SELECT id, user_id AS "userId", kind, payload, agent, created_at AS at
    FROM find_user_notices(${column('tenantId')}, ${column('userId')}, ${column('after')}, ${now})`.execute(
    db,
  );
  return rows;
}
