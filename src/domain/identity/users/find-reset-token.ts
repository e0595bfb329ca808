import { sql } from 'kysely';
import type { Db } from '../../../lib/db/connect.ts';

export interface ResetTokenRow {
  id: number;
  tenant_id: number;
  user_id: number;
  user_uuid: string;
  email: string;
}

/** A reset token that is unused and not expired at `now`, of an active account; found by its hash. */
export async function findResetToken(db: Db, hash: Buffer, now: Date): Promise<ResetTokenRow | undefined> {
  const { rows } = await sql<ResetTokenRow>`SELECT * FROM find_reset_token(${hash}, ${now})`.execute(db);
  return rows[0];
}
