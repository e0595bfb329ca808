import type { Tx } from '../../../lib/db/connect.ts';

interface Owner {
  tenantId: number;
  userId: number;
  sessionUuid: string;
  now: Date;
}

export async function insertSession(
  tx: Tx,
  { tenantId, userId, sessionUuid, now }: Owner,
  session: {
    ipPrefix: string | undefined;
    userAgent: string | undefined;
    idleExpiresAt: Date;
    absoluteExpiresAt: Date;
  },
): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({
      uuid: sessionUuid,
      tenant_id: tenantId,
      user_id: userId,
      auth_time: now,
      ip_prefix: session.ipPrefix ?? null,
      user_agent: session.userAgent ?? null,
      last_used_at: now,
      idle_expires_at: session.idleExpiresAt,
      absolute_expires_at: session.absoluteExpiresAt,
      created_at: now,
    })
    .execute();
}

/** @param hash SHA-256 of the token. */
export async function insertRefreshToken(
  tx: Tx,
  { tenantId, userId, sessionUuid, now }: Owner,
  { hash, expiresAt }: { hash: Buffer; expiresAt: Date },
): Promise<void> {
  await tx
    .insertInto('refresh_tokens')
    .values({
      tenant_id: tenantId,
      user_id: userId,
      session_uuid: sessionUuid,
      token_hash: hash,
      expires_at: expiresAt,
      created_at: now,
    })
    .execute();
}
