import { sql } from 'kysely';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { lockAccount } from './user.queries.ts';

/** v1, section 7.1: a token lives 24 hours. */
export const verificationTokenLifetimeMs = 24 * 60 * 60 * 1000;

export interface VerificationTokenRow {
  id: number;
  tenant_id: number;
  user_id: number;
  email: string;
}

/** A token that is unused and not expired, for the address that its account still has; found by its hash. */
export async function findVerificationToken(
  db: Db,
  hash: Buffer,
  now: Date,
): Promise<VerificationTokenRow | undefined> {
  const { rows } = await sql<VerificationTokenRow>`
    SELECT * FROM find_verification_token(${hash}, ${now})`.execute(db);
  return rows[0];
}

/**
 * Writes a token that supersedes the ones before.
 * @returns its id.
 */
export async function replaceVerificationToken(
  tx: Tx,
  token: { tenantId: number; userId: number; email: string; hash: Buffer; now: Date },
): Promise<number> {
  const { tenantId, userId, email, hash, now } = token;
  // Requests side by side queue here: otherwise neither would see the other's token, and both would stay.
  await lockAccount(tx, userId);
  await useUpTokens(tx, userId, now);
  const { id } = await tx
    .insertInto('email_verification_tokens')
    .values({
      tenant_id: tenantId,
      user_id: userId,
      email,
      token_hash: hash,
      expires_at: new Date(now.getTime() + verificationTokenLifetimeMs),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Notes that the owner of the account receives mail at its address, and uses all its tokens up.
 * @returns false when another request has just used the token, or the account has another address by now.
 */
export async function takeVerificationToken(
  tx: Tx,
  token: VerificationTokenRow,
  now: Date,
): Promise<boolean> {
  const { user_id: userId, email } = token;
  // The account before its tokens, as everywhere.
  const verified = await tx
    .updateTable('users')
    .set({ is_verified: true, email_verified_at: now })
    .where('id', '=', userId)
    .where('email', '=', email)
    .executeTakeFirst();
  const used = await tx
    .updateTable('email_verification_tokens')
    .set({ used: true, used_at: now })
    .where('id', '=', token.id)
    .where('used', '=', false)
    .executeTakeFirst();
  await useUpTokens(tx, userId, now);
  return verified.numUpdatedRows === 1n && used.numUpdatedRows === 1n;
}

async function useUpTokens(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx
    .updateTable('email_verification_tokens')
    .set({ used: true, used_at: now })
    .where('user_id', '=', userId)
    .where('used', '=', false)
    .execute();
}
