import type { Tx } from '../../../lib/db/connect.ts';
import type { AuditContext, AuditFacts } from '../../../lib/audit.ts';
import { startSession } from './start-session.ts';

export interface SessionOpening {
  tenantId: number;
  userId: number;
  now: Date;
  /** SHA-256 of the first refresh token. */
  refreshTokenHash: Buffer;
  /** LIMIT_SESSIONS_PER_USER */
  sessionLimit: number;
  request: { ipPrefix: string | undefined; userAgent: string | undefined };
  audit: AuditContext;
  /** Who opens it, when that is not the user: an admin who creates an account. */
  actor?: { userId: number; sessionUuid: string } | undefined;
}

/** Opens a session and writes the event that explains it, in the transaction of both. */
export async function openSession(
  tx: Tx,
  { actor, request, audit, ...opening }: SessionOpening,
  event: Pick<AuditFacts, 'subject' | 'detail'> = {},
): Promise<string> {
  const { ipPrefix, userAgent } = request;
  const { sessionUuid } = await startSession(tx, { ...opening, ipPrefix, userAgent });
  const { tenantId, userId } = { ...opening, ...actor };
  await audit.succeeded(tx, { tenantId, userId, sessionUuid: actor?.sessionUuid ?? sessionUuid, ...event });
  return sessionUuid;
}
