import { sql } from 'kysely';
import type { Me } from '../../../contract/account.ts';
import { byPlace } from '../../../lib/db/by-place.ts';
import type { Db } from '../../../lib/db/connect.ts';
import type { SharedQueries } from '../../../lib/app/context.ts';
import { remembered } from '../../../lib/app/memory.ts';
import { together } from '../../../lib/concurrency/together.ts';

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

interface Asked {
  sessionUuid: string;
  now: Date;
}

/**
 * The accounts behind the sessions of access tokens, in the order in which they are asked for, in one round trip and by
 * primary keys; undefined where the session has ended, the user is inactive or the tenant is off at `now`. Logout,
 * deactivation and change of role act at once because of this.
 */
export async function findLiveSessions(
  db: Db,
  asked: readonly Asked[],
): Promise<(LiveSession | undefined)[]> {
  const uuids = asked.map(({ sessionUuid }) => sessionUuid);
  const times = asked.map(({ now }) => now);
  const { rows } = await sql<SessionRow & { place: number }>`
    SELECT * FROM find_live_sessions(${uuids}, ${times})`.execute(db);
  return byPlace(rows, asked.length).map((row) => row && liveSessionOf(row));
}

/**
 * As {@link findLiveSessions}, for one session. Those that are looked up in the same turn of the event loop share a statement:
 * 64 at most, since it would hold up the first of more. None is remembered, each is looked up after its request has come.
 */
const sessionLookups = remembered(() => together(findLiveSessions, { atMost: 64 }));

export const findLiveSession = ({ db, memory }: SharedQueries, asked: Asked) =>
  memory.of(sessionLookups)(db, asked);

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
  // A patient may have the profile of a former role, which gives no more rights; an admin with one takes cases.
  if (row.physician_uuid === null || row.role === 'patient') return null;
  return {
    uuid: row.physician_uuid,
    user_id: row.user_id,
    employee_id: row.employee_id,
    language_preference: row.language_preference,
    vacation_mode: row.vacation_mode,
    created_at: row.physician_created_at,
  };
}
