import { sql } from 'kysely';
import { auditEvents } from '../../../contract/audit.ts';
import type { AuditContext, AuditFacts } from '../../../lib/audit.ts';
import type { Role } from '../../../contract/role.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { findRefreshToken, type RefreshTokenRow } from './find-refresh-token.ts';
import { endSessions } from './session.queries.ts';
import { refreshTokenLifetimeMs } from './start-session.ts';

export interface RotationRequest {
  /** SHA-256 of the presented token; undefined when it cannot be one. */
  presentedHash: Buffer | undefined;
  /** Its successor, should it be rotated now. */
  successor: { hash: Buffer; sealed: Buffer | undefined };
  /** When the request arrived, before anything waited. */
  receivedAt: Date;
  now: () => Date;
  /** Counts an exchange against the limit of its session; @throws {Problem} `rate_limited`, and nothing is exchanged. */
  requireTurn(tx: Tx, sessionUuid: string): Promise<void>;
  /** REFRESH_RACE_SKEW_MS */
  raceSkewMs: number;
  /** REFRESH_REPLAY_GRACE_SECONDS */
  replayGraceMs: number;
  audit: AuditContext;
}

export interface RotatedSession {
  sessionUuid: string;
  userUuid: string;
  userId: number;
  tenantId: number;
  role: Role;
}

export type Refusal = 'unknown' | 'expired' | 'ended' | 'race' | 'reuse';

export type Rotation =
  | { verdict: 'rotated'; session: RotatedSession }
  /** A replay within the grace: the bearer opens the successor that was issued then. */
  | { verdict: 'replayed'; session: RotatedSession; sealedSuccessor: Buffer }
  | { verdict: 'refused'; reason: Refusal; session?: RotatedSession };

/**
 * Exchanges a refresh token for its successor, at most once.
 *
 * Two uses that overlap are a race between two tabs of one user: one wins, the other is refused, and the session
 * lives on. A use that arrived after the token had been exchanged is reuse: somebody has a copy, so the whole
 * session ends, and that is committed although the request fails (RFC 9700 §4.14.2).
 */
export async function rotateRefreshToken(db: Db, request: RotationRequest): Promise<Rotation> {
  const { presentedHash, now } = request;
  const token = presentedHash === undefined ? undefined : await findRefreshToken(db, presentedHash, now());
  if (token === undefined) return { verdict: 'refused', reason: 'unknown' };
  const session = sessionOf(token);
  const refused = (reason: Refusal): Rotation => ({ verdict: 'refused', reason, session });
  if (token.revoked_reason === 'session_ended') return refused('ended');
  if (!token.is_alive) {
    await endIfInactive(db, token, now());
    return refused('ended');
  }
  if (token.revoked) return await judgeRotated(db, token, request);
  if (token.expires_at <= now()) return refused('expired');
  const verdict = await inTenant(db, token.tenant_id, async (tx) => {
    if (!(await touchSession(tx, token, now()))) return 'ended';
    if (!(await exchange(tx, token, request))) return 'race';
    await request.requireTurn(tx, token.session_uuid);
    await request.audit.succeeded(tx, aboutSession(token));
    return 'rotated';
  });
  if (verdict === 'rotated') return { verdict, session };
  // Where replays are answered, who lost a race is one; the token is used up now, so this comes here only once.
  if (verdict === 'race' && request.replayGraceMs > 0) return await rotateRefreshToken(db, request);
  return refused(verdict);
}

/** A user who was switched off does not find the old sessions again when switched on. */
async function endIfInactive(db: Db, token: RefreshTokenRow, now: Date): Promise<void> {
  await inTenant(db, token.tenant_id, async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select('is_active')
      .where('id', '=', token.user_id)
      .executeTakeFirst();
    if (user?.is_active === false) await endSessions(tx, token.user_id, 'all', 'account_inactive', now);
  });
}

/** Locks the session's row, so that rotation, logout and reuse detection of one session queue up. */
async function touchSession(tx: Tx, token: RefreshTokenRow, now: Date): Promise<boolean> {
  const touched = await tx
    .updateTable('sessions')
    .set({ last_used_at: now, idle_expires_at: new Date(now.getTime() + refreshTokenLifetimeMs) })
    .where('uuid', '=', token.session_uuid)
    .where('revoked_at', 'is', null)
    .where('absolute_expires_at', '>', now)
    .executeTakeFirst();
  return touched.numUpdatedRows === 1n;
}

/** Compare and set: of several requests with one token exactly one finds it unused. */
async function exchange(
  tx: Tx,
  token: RefreshTokenRow,
  { successor, now }: RotationRequest,
): Promise<boolean> {
  const rotatedAt = now();
  const { rows } = await sql`
    WITH rotated AS (
      UPDATE refresh_tokens
      SET revoked = true, revoked_reason = 'rotated', rotated_at = ${rotatedAt},
          sealed_successor = ${successor.sealed ?? null}
      WHERE id = ${token.id} AND NOT revoked AND expires_at > ${rotatedAt}
      RETURNING tenant_id, user_id, session_uuid
    )
    INSERT INTO refresh_tokens (tenant_id, user_id, session_uuid, token_hash, expires_at, created_at)
    SELECT tenant_id, user_id, session_uuid, ${successor.hash},
           ${new Date(rotatedAt.getTime() + refreshTokenLifetimeMs)}, ${rotatedAt}
    FROM rotated
    RETURNING id`.execute(tx);
  return rows.length === 1;
}

async function judgeRotated(db: Db, token: RefreshTokenRow, request: RotationRequest): Promise<Rotation> {
  const session = sessionOf(token);
  const age = request.receivedAt.getTime() - (token.rotated_at?.getTime() ?? 0);
  const { sealed_successor: sealedSuccessor } = token;
  if (sealedSuccessor !== null && age <= request.replayGraceMs) {
    return { verdict: 'replayed', session, sealedSuccessor };
  }
  if (age <= request.raceSkewMs) return { verdict: 'refused', reason: 'race', session };
  return await endForReuse(db, token, request);
}

/**
 * Answers a replay with the successor that was issued then, unless that has itself been used: then two parties hold
 * the family.
 *
 * @param successorHash of the successor that the bearer has opened.
 */
export async function replayRotation(
  db: Db,
  successorHash: Buffer | undefined,
  request: Pick<RotationRequest, 'now' | 'audit'>,
): Promise<Exclude<Rotation, { verdict: 'replayed' }>> {
  const successor = successorHash && (await findRefreshToken(db, successorHash, request.now()));
  if (successor === undefined) return { verdict: 'refused', reason: 'unknown' };
  if (successor.revoked) return await endForReuse(db, successor, request);
  await inTenant(db, successor.tenant_id, (tx) =>
    request.audit.succeeded(tx, { ...aboutSession(successor), detail: { replayed: true } }),
  );
  return { verdict: 'rotated', session: sessionOf(successor) };
}

async function endForReuse(
  db: Db,
  token: RefreshTokenRow,
  request: Pick<RotationRequest, 'now' | 'audit'>,
): Promise<{ verdict: 'refused'; reason: Refusal; session: RotatedSession }> {
  await inTenant(db, token.tenant_id, async (tx) => {
    await endSessions(tx, token.user_id, { only: token.session_uuid }, 'reuse_detected', request.now());
    await request.audit.as(auditEvents.refreshTokenReused).denied(tx, aboutSession(token));
  });
  return { verdict: 'refused', reason: 'reuse', session: sessionOf(token) };
}

function sessionOf(token: RefreshTokenRow): RotatedSession {
  return {
    sessionUuid: token.session_uuid,
    userUuid: token.user_uuid,
    userId: token.user_id,
    tenantId: token.tenant_id,
    role: token.role,
  };
}

const aboutSession = (token: RefreshTokenRow): AuditFacts => ({
  tenantId: token.tenant_id,
  userId: token.user_id,
  sessionUuid: token.session_uuid,
});
