import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../../lib/db/connect.ts';
import { insertRefreshToken, insertSession } from './new-session.queries.ts';
import { endSessionsOverLimit, refreshTokenLifetimeMs, replaceSessions } from './session.queries.ts';
import type { SessionRules } from './session-rules.ts';

const day = 24 * 60 * 60 * 1000;
/** However often it is refreshed, a session ends after a year (ASVS 5.0 7.3.2). */
export const sessionLifetimeMs = 365 * day;

export interface NewSession extends SessionRules {
  tenantId: number;
  userId: number;
  now: Date;
  /** SHA-256 of the first refresh token. */
  refreshTokenHash: Buffer;
}

/**
 * Opens a session with its first refresh token: one session is one family of tokens. The older ones end where the user may
 * have only one; where there are too many, the least recently used do. The caller holds the lock on the user's row, so that
 * logins side by side count each other's sessions.
 */
export async function startSession(
  tx: Tx,
  session: NewSession,
  request: { ipPrefix: string | undefined; userAgent: string | undefined },
): Promise<{ sessionUuid: string }> {
  const sessionUuid = uuidv7();
  const { tenantId, userId, sessionLimit: limit, isUniqueInTenant, now } = session;
  const owner = { tenantId, userId, sessionUuid, now };
  const refreshExpiry = new Date(now.getTime() + refreshTokenLifetimeMs);
  await insertSession(tx, owner, {
    ipPrefix: request.ipPrefix,
    userAgent: request.userAgent,
    idleExpiresAt: refreshExpiry,
    absoluteExpiresAt: new Date(now.getTime() + sessionLifetimeMs),
  });
  await insertRefreshToken(tx, owner, { hash: session.refreshTokenHash, expiresAt: refreshExpiry });
  await replaceSessions(tx, userId, { newest: sessionUuid, isUniqueInTenant }, now);
  await endSessionsOverLimit(tx, userId, { limit, newest: sessionUuid }, now);
  return { sessionUuid };
}
