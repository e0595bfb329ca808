import { sql } from 'kysely';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { lockAccount } from './user.queries.ts';

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

/** Contract: a reset token lives 24 hours. */
export const resetTokenLifetimeMs = 24 * 60 * 60 * 1000;

/**
 * Writes a token that supersedes the ones before.
 * @returns its id.
 */
export async function replaceResetToken(
  tx: Tx,
  { tenantId, userId, hash, now }: { tenantId: number; userId: number; hash: Buffer; now: Date },
): Promise<number> {
  // Requests side by side queue here: otherwise neither would see the other's token, and both would stay.
  await lockAccount(tx, userId);
  await tx
    .updateTable('password_reset_tokens')
    .set({ used: true, used_at: now })
    .where('user_id', '=', userId)
    .where('used', '=', false)
    .execute();
  const { id } = await tx
    .insertInto('password_reset_tokens')
    .values({
      tenant_id: tenantId,
      user_id: userId,
      token_hash: hash,
      expires_at: new Date(now.getTime() + resetTokenLifetimeMs),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** @returns false when another request has just used the token, or a newer one has superseded it. */
export async function takeResetToken(
  tx: Tx,
  token: { id: number; user_id: number },
  now: Date,
): Promise<boolean> {
  // The account before its tokens, as everywhere: a new link that is being made meanwhile must not wait for us while
  // we wait for it.
  await lockAccount(tx, token.user_id);
  const { numUpdatedRows } = await tx
    .updateTable('password_reset_tokens')
    .set({ used: true, used_at: now })
    .where('id', '=', token.id)
    .where('used', '=', false)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
