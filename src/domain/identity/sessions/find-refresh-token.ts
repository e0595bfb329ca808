import { sql } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';
import type { Role } from '../../../contract/role.ts';

export interface RefreshTokenRow {
  id: number;
  session_uuid: string;
  tenant_id: number;
  user_id: number;
  user_uuid: string;
  role: Role;
  revoked: boolean;
  revoked_reason: 'rotated' | 'session_ended' | null;
  rotated_at: Date | null;
  expires_at: Date;
  sealed_successor: Buffer | null;
  /** Session open at `now`, user active, tenant on. */
  is_alive: boolean;
}

/** A refresh token in whatever state, found by its hash before the tenant is known. */
export async function findRefreshToken(
  db: Db,
  hash: Buffer,
  now: Date,
): Promise<RefreshTokenRow | undefined> {
  const { rows } = await sql<RefreshTokenRow>`SELECT * FROM find_refresh_token(${hash}, ${now})`.execute(db);
  return rows[0];
}
