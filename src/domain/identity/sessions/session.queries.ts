import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { Clock } from '../../../contract/clock.ts';
import type { Role } from '../../../contract/role.ts';
import type { EventRow } from '../../../lib/app/audit.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { byPlace } from '../../../lib/db/by-place.ts';
import { isOfStatement } from '../../../lib/db/errors.ts';
import type { DB } from '../../../lib/db/tables.ts';
import { inDoubt } from '../../../lib/concurrency/in-doubt.ts';
import { remembered } from '../../../lib/app/memory.ts';
import type { SharedQueries } from '../../../lib/app/context.ts';
import { together } from '../../../lib/concurrency/together.ts';
import { hour, rateLimited } from '../../platform/throttle/throttle.ts';
import type { TokenSession } from './token-pair.ts';

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

interface AskedToken {
  /** SHA-256. */
  hash: Buffer;
  now: Date;
}

/** Refresh tokens in any state, found by their hashes before the tenant is known, in the order in which they are asked for. */
async function findRefreshTokens(
  db: Db,
  asked: readonly AskedToken[],
): Promise<(RefreshTokenRow | undefined)[]> {
  const hashes = asked.map(({ hash }) => hash);
  const times = asked.map(({ now }) => now);
  const { rows } = await sql<RefreshTokenRow & { place: number }>`
    SELECT * FROM find_refresh_tokens(${hashes}, ${times})`.execute(db);
  return byPlace(rows, asked.length);
}

/** Those of the same turn of the event loop share a statement, 64 at most: it would hold up the first of more. */
const tokenLookups = remembered(() => together(findRefreshTokens, { atMost: 64 }));

export const findRefreshToken = ({ db, memory }: SharedQueries, asked: AskedToken) =>
  memory.of(tokenLookups)(db, asked);

export interface Renewal {
  /** SHA-256 of the presented token. */
  hash: Buffer;
  /** SHA-256 of its successor. */
  hashOfSuccessor: Buffer;
  /** The successor as a replay gets it. */
  sealed: Buffer | null;
  /** Exchanges of one session in an hour. */
  limit: number;
  /** Written with the ids of the session. */
  event: EventRow;
  receivedAt: Date;
  clock: Clock;
}

type SessionColumns = Pick<RefreshTokenRow, 'session_uuid' | 'tenant_id' | 'user_id' | 'user_uuid' | 'role'>;

type RenewalRow = SessionColumns & {
  place: number;
  outcome: 'exchanged' | 'unusable' | 'ended' | 'race' | 'limited';
  wait: number;
};

/** Exchanges refresh tokens and writes the events, all of them or none; in the order given. */
async function renewSessions(
  db: Db,
  renewals: readonly Renewal[],
  unanswered: Unanswered,
): Promise<(RenewalRow | undefined)[]> {
  // The time is read once there is a connection: `rotated_at` counts from when the statement is sent.
  return await db.connection().execute(async (connection) => {
    const sent = renewals.map((renewal) => ({ ...renewal, now: renewal.clock.now() }));
    try {
      const { rows } = await sql<RenewalRow>`
        SELECT * FROM renew_sessions(
          ${sent.map(({ hash }) => hash)}, ${sent.map(({ now }) => now)},
          ${JSON.stringify(sent.map(renewalColumns))}::jsonb)`.execute(connection);
      return byPlace(rows, renewals.length);
    } catch (error) {
      // PostgreSQL may exchange them all the same. No one has the successors: a repeated use would look like that of a thief.
      const ungraced = sent.filter(({ sealed }) => sealed === null);
      if (!isOfStatement(error)) unanswered.add(db, ungraced);
      throw error;
    }
  });
}

/** Exchanges whose reply never came; with a grace a repeated use gets the successor. */
const createUnanswered = () =>
  inDoubt({
    keyOf: ({ hash }: Renewal) => hash.toString('hex'),
    async settle(db: Db, renewals) {
      const hashes = renewals.map(({ hash }) => hash);
      const successors = renewals.map(({ hashOfSuccessor }) => hashOfSuccessor);
      const now = renewals[0]?.clock.now();
      await sql`SELECT take_back_renewals(${hashes}, ${successors}, ${now})`.execute(db);
    },
  });

type Unanswered = ReturnType<typeof createUnanswered>;

function renewalColumns({ hashOfSuccessor, sealed, limit, event, receivedAt, now }: Renewal & { now: Date }) {
  return {
    successor: bytea(hashOfSuccessor),
    sealed: sealed && bytea(sealed),
    expires: new Date(now.getTime() + refreshTokenLifetimeMs),
    received: receivedAt,
    allowed: limit,
    seconds: hour,
    event,
  };
}

/** As PostgreSQL reads bytes from JSON. */
const bytea = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;

const exchanges = remembered(() => {
  const unanswered = createUnanswered();
  const renew = together((db: Db, renewals: readonly Renewal[]) => renewSessions(db, renewals, unanswered), {
    atMost: 32,
    patienceMs: 25,
    isOfOne: isOfStatement,
  });
  return { unanswered, renew };
});

/** Of an unusable token no session is known. */
export type Renewed =
  | { outcome: 'exchanged' | 'ended' | 'race'; session: TokenSession }
  | { outcome: 'unusable'; session?: undefined };

/**
 * Exchanges a refresh token and writes the event, in one round trip: both or nothing. Those of the same turn of the event
 * loop share round trip and commit; one that fails stops no other. One whose reply never comes is taken back, so that the
 * token can be presented again.
 * @returns `unusable` for a token that is unknown, revoked, expired, or whose session, user or tenant is off; `ended` for a
 *   session that has ended since it was found; `race` when another request with this token was first.
 * @throws {Problem} `rate_limited`
 */
export async function renewSession({ db, memory }: SharedQueries, renewal: Renewal): Promise<Renewed> {
  const { unanswered, renew } = memory.of(exchanges);
  await unanswered.settled(db, renewal.hash.toString('hex'));
  const row = await renew(db, renewal);
  if (row === undefined || row.outcome === 'unusable') return { outcome: 'unusable' };
  if (row.outcome === 'limited') throw rateLimited(row.wait);
  return { outcome: row.outcome, session: sessionOf(row) };
}

/** Locks the open sessions of a user, as {@link endSessions} does before it changes them. */
export async function lockSessions(tx: Tx, userId: number): Promise<void> {
  await openSessions(tx, userId).execute();
}

/** In the order of their ids, as exchanges of refresh tokens lock them. */
const openSessions = (tx: Tx, userId: number) =>
  tx
    .selectFrom('sessions')
    .select('uuid')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('uuid')
    .forNoKeyUpdate();

/** Why a session ended, as `sessions.revoked_reason` has it. */
export type EndReason =
  | 'logout'
  | 'logout_all'
  | 'reuse_detected'
  | 'password_changed'
  | 'password_reset'
  | 'account_inactive'
  | 'revoked_by_user'
  | 'revoked_by_admin'
  | 'session_limit'
  | 'address_released'
  | 'replaced';

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
  return await endOpenSessions(tx, userId, isMeant, { reason }, now);
}

/**
 * Ends the older sessions of a user who may have only one: because the tenant says so, or the physician.
 * @returns how many were open until now.
 */
export async function replaceSessions(
  tx: Tx,
  userId: number,
  { newest, isUniqueInTenant }: { newest: string; isUniqueInTenant: boolean },
  now: Date,
): Promise<number> {
  const isReplaced = (eb: ExpressionBuilder<DB, 'sessions'>) =>
    eb.and([
      eb('uuid', '!=', newest),
      eb.or([
        eb.val(isUniqueInTenant),
        eb.exists(
          eb
            .selectFrom('physicians')
            .select('physicians.id')
            .where('physicians.user_id', '=', userId)
            .where(sql<boolean>`physicians.settings -> 'unique_session' = 'true'`),
        ),
      ]),
    ]);
  return await endOpenSessions(tx, userId, isReplaced, { reason: 'replaced', replacedBy: newest }, now);
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
  return await endOpenSessions(tx, userId, isOver, { reason: 'session_limit' }, now);
}

/** In one function of the database; however many there are, it has a fixed number of parameters: PostgreSQL takes 65,535. */
async function endOpenSessions(
  tx: Tx,
  userId: number,
  isMeant: (eb: ExpressionBuilder<DB, 'sessions'>) => Expression<SqlBool>,
  { reason, replacedBy = null }: { reason: EndReason; replacedBy?: string | null },
  now: Date,
): Promise<number> {
  const locked = await openSessions(tx, userId).where(isMeant).execute();
  if (locked.length === 0) return 0;
  const sessions = locked.map(({ uuid }) => uuid);
  await sql`SELECT end_sessions(${userId}, ${sessions}, ${reason}, ${replacedBy}, ${now})`.execute(tx);
  return sessions.length;
}

/** Ends the sessions of a user who is inactive: reactivation does not bring the old sessions back. */
export async function endSessionsOfInactive(tx: Tx, userId: number, now: Date): Promise<void> {
  const user = await tx.selectFrom('users').select('is_active').where('id', '=', userId).executeTakeFirst();
  if (user?.is_active === false) await endSessions(tx, userId, 'all', 'account_inactive', now);
}

/**
 * What a client learns about the end of a session, as members of the refusal: only that another login has replaced it, so
 * that its user does not take it for a fault. Its tenant need not be known. A round trip, for refused requests alone.
 */
export async function endOf(db: Db, session: string): Promise<{ reason?: 'session_replaced' }> {
  const { rows } = await sql<{ reason: string }>`SELECT reason FROM find_session_end(${session})`.execute(db);
  return rows[0]?.reason === 'replaced' ? { reason: 'session_replaced' } : {};
}

export const sessionOf = (token: SessionColumns): TokenSession => ({
  tenantId: token.tenant_id,
  userId: token.user_id,
  userUuid: token.user_uuid,
  role: token.role,
  sessionUuid: token.session_uuid,
});
