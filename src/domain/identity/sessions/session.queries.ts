import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { Role } from '../../../contract/role.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import type { DB } from '../../../lib/db/tables.ts';

/** Contract: a refresh token lives 30 days from its creation. */
export const refreshTokenLifetimeMs = 30 * 24 * 60 * 60 * 1000;

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

/** A refresh token in any state, found by its hash before the tenant is known. */
export async function findRefreshToken(
  db: Db,
  hash: Buffer,
  now: Date,
): Promise<RefreshTokenRow | undefined> {
  const { rows } = await sql<RefreshTokenRow>`SELECT * FROM find_refresh_token(${hash}, ${now})`.execute(db);
  return rows[0];
}

/**
 * Locks the session's row, so that rotation, logout and reuse detection of one session queue up.
 * @returns false when the session has ended.
 */
export async function touchSession(tx: Tx, uuid: string, now: Date): Promise<boolean> {
  const touched = await tx
    .updateTable('sessions')
    .set({ last_used_at: now, idle_expires_at: new Date(now.getTime() + refreshTokenLifetimeMs) })
    .where('uuid', '=', uuid)
    .where('revoked_at', 'is', null)
    .where('absolute_expires_at', '>', now)
    .executeTakeFirst();
  return touched.numUpdatedRows === 1n;
}

/**
 * Compare and set: of several requests with one token exactly one finds it unused and inserts its successor.
 * @returns false for the others.
 */
export async function exchangeRefreshToken(
  tx: Tx,
  id: number,
  successor: { hash: Buffer; sealed: Buffer | null },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    WITH rotated AS (
      UPDATE refresh_tokens
      SET revoked = true, revoked_reason = 'rotated', rotated_at = ${now}, sealed_successor = ${successor.sealed}
      WHERE id = ${id} AND NOT revoked AND expires_at > ${now}
      RETURNING tenant_id, user_id, session_uuid
    )
    INSERT INTO refresh_tokens (tenant_id, user_id, session_uuid, token_hash, expires_at, created_at)
    SELECT tenant_id, user_id, session_uuid, ${successor.hash},
           ${new Date(now.getTime() + refreshTokenLifetimeMs)}, ${now}
    FROM rotated
    RETURNING id`.execute(tx);
  return rows.length === 1;
}

/** Why a session ended, as `sessions.revoked_reason` has it. */
export type EndReason =
  | 'logout'
  | 'logout_all'
  | 'reuse_detected'
  | 'password_changed'
  | 'password_reset'
  | 'account_inactive'
  | 'revoked_by_user'
  | 'session_limit'
  | 'address_released';

/**
 * Ends sessions of one user with their refresh tokens.
 * @param which all of them, one, or all but one.
 * @returns how many were open until now.
 */
export async function endSessions(
  tx: Tx,
  userId: number,
  which: 'all' | { only: string } | { except: string },
  reason: EndReason,
  now: Date,
): Promise<number> {
  const isMeant = (eb: ExpressionBuilder<DB, 'sessions'>) =>
    which === 'all'
      ? eb.lit(true)
      : 'only' in which
        ? eb('uuid', '=', which.only)
        : eb('uuid', '!=', which.except);
  return await endOpenSessions(tx, userId, isMeant, reason, now);
}

/** Ends the sessions of a user beyond `limit`, the least recently used first. */
export async function endSessionsOverLimit(
  tx: Tx,
  userId: number,
  { limit, newest }: { limit: number; newest: string },
  now: Date,
): Promise<number> {
  const isOver = (eb: ExpressionBuilder<DB, 'sessions'>) =>
    eb(
      'uuid',
      'in',
      eb
        .selectFrom('sessions as open')
        .select('open.uuid')
        .where('open.user_id', '=', userId)
        .where('open.revoked_at', 'is', null)
        .where('open.uuid', '!=', newest)
        .orderBy('open.last_used_at', 'desc')
        .orderBy('open.uuid')
        .offset(limit - 1),
    );
  return await endOpenSessions(tx, userId, isOver, 'session_limit', now);
}

/**
 * However many there are, the statements have a fixed number of parameters: PostgreSQL takes 65,535.
 *
 * Two statements, because the second one must see the token that a rotation has just inserted, whose lock on the
 * session the first one waited for.
 */
async function endOpenSessions(
  tx: Tx,
  userId: number,
  isMeant: (eb: ExpressionBuilder<DB, 'sessions'>) => Expression<SqlBool>,
  reason: EndReason,
  now: Date,
): Promise<number> {
  const { numUpdatedRows: ended } = await tx
    .updateTable('sessions')
    .set({ revoked_at: now, revoked_reason: reason })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where(isMeant)
    .executeTakeFirst();
  if (ended === 0n) return 0;
  await tx
    .updateTable('refresh_tokens')
    .set({ revoked: true, revoked_reason: 'session_ended' })
    .where('revoked', '=', false)
    .where('session_uuid', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('sessions.uuid')
        .where('sessions.user_id', '=', userId)
        .where('sessions.revoked_at', '=', now)
        .where('sessions.revoked_reason', '=', reason),
    )
    .execute();
  return Number(ended);
}

/** At most this many are listed: more is a program that logs in for every call. */
const listed = 200;

/**
 * Open sessions, the one used last first.
 * @param current always among them, however many others were used since.
 */
export async function listOpenSessions(tx: Tx, userId: number, current: string, now: Date) {
  const rows = await tx
    .selectFrom('sessions')
    .select(['uuid', 'created_at', 'last_used_at', 'user_agent', 'ip_prefix'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('idle_expires_at', '>', now)
    .where('absolute_expires_at', '>', now)
    .orderBy((query) => query('uuid', '=', current), 'desc')
    .orderBy('last_used_at', 'desc')
    .orderBy('uuid')
    .limit(listed)
    .execute();
  return rows.toSorted((a, b) => b.last_used_at.getTime() - a.last_used_at.getTime());
}

/** Whether a session of this id, open or not, belongs to the user. */
export async function isSessionOf(tx: Tx, uuid: string, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('sessions')
    .select('uuid')
    .where('uuid', '=', uuid)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends the sessions of a user who is inactive: reactivation does not bring the old sessions back. */
export async function endSessionsOfInactive(tx: Tx, userId: number, now: Date): Promise<void> {
  const user = await tx.selectFrom('users').select('is_active').where('id', '=', userId).executeTakeFirst();
  if (user?.is_active === false) await endSessions(tx, userId, 'all', 'account_inactive', now);
}

/** The session that a refresh token belongs to. */
export const sessionOf = (token: RefreshTokenRow) => ({
  tenantId: token.tenant_id,
  userId: token.user_id,
  userUuid: token.user_uuid,
  role: token.role,
  sessionUuid: token.session_uuid,
});
