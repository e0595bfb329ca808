import { sql } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';
import type { Role } from '../../../contract/role.ts';

export interface LiveSession {
  session_uuid: string;
  user_uuid: string;
  user_id: number;
  tenant_id: number;
  role: Role;
}

/**
 * The session behind an access token, in one indexed query; undefined when the session has ended, the user is
 * inactive or the tenant is off at `now`. Logout, deactivation and change of role act at once because of this.
 */
export async function findLiveSession(
  db: Db,
  sessionUuid: string,
  now: Date,
): Promise<LiveSession | undefined> {
  const { rows } = await sql<LiveSession>`SELECT * FROM find_session(${sessionUuid}, ${now})`.execute(db);
  return rows[0];
}
