import { sql } from 'kysely';
import type { Me } from '../../../contract/account.ts';
import type { Db } from '../../../lib/db/connect.ts';

interface Profile {
  physician_uuid: string;
  employee_id: number | null;
  language_preference: string;
  vacation_mode: boolean;
  physician_created_at: Date;
}

interface TenantOfUser {
  tenant_uuid: string;
  tenant_name: string;
  tenant_slug: string;
  tenant_created_at: Date;
}

export type SessionRow = { user_id: number } & Omit<Me['user'], 'is_active'> &
  TenantOfUser &
  (Profile | { [Column in keyof Profile]: null });

/**
 * The account behind the session of an access token, in one round trip and by primary keys; undefined when the session has
 * ended, the user is inactive or the tenant is off at `now`. Logout, deactivation and change of role act at once because of
 * this.
 */
export async function findLiveSession(
  db: Db,
  sessionUuid: string,
  now: Date,
): Promise<LiveSession | undefined> {
  const { rows } = await sql<SessionRow>`SELECT * FROM find_live_session(${sessionUuid}, ${now})`.execute(db);
  return rows[0] && liveSessionOf(rows[0]);
}

export interface LiveSession {
  userId: number;
  account: Me;
}

export function liveSessionOf(row: SessionRow): LiveSession {
  const { user_id: userId, uuid, email, role, is_verified, tenant_id, created_at, last_login } = row;
  const account = {
    user: { uuid, email, role, is_active: true, is_verified, tenant_id, created_at, last_login },
    physician: profileOf(row),
    tenant: {
      uuid: row.tenant_uuid,
      name: row.tenant_name,
      slug: row.tenant_slug,
      is_active: true,
      created_at: row.tenant_created_at,
    },
  };
  return { userId, account };
}

function profileOf(row: SessionRow): Me['physician'] {
  if (row.physician_uuid === null) return null;
  return {
    uuid: row.physician_uuid,
    user_id: row.user_id,
    employee_id: row.employee_id,
    language_preference: row.language_preference,
    vacation_mode: row.vacation_mode,
    created_at: row.physician_created_at,
  };
}
