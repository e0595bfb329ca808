import { type Expression, type ExpressionBuilder, expressionBuilder, sql, type SqlBool } from 'kysely';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import type { DB } from '../../../lib/db/tables.ts';

/** Rows per transaction at most, so that no lock lasts long. */
export const batchSize = 1000;

interface Expiry<Table extends keyof DB> {
  /** The column by which the chosen rows are deleted; `ctid` where no single column is unique. */
  key: (keyof DB[Table] & string) | 'ctid';
  /** When a row expires: a column, or an expression that has an index. */
  expiresAt(eb: ExpressionBuilder<DB, Table>): Expression<Date | null>;
  /** The rows that can expire, as a partial index has them; all by default. */
  among?(eb: ExpressionBuilder<DB, Table>): Expression<SqlBool>;
  /** Rows that expired at or before this time are deleted. */
  cutoff: Date;
  /** Expired rows that stay. */
  except?(eb: ExpressionBuilder<DB, Table>): Expression<SqlBool>;
}

/**
 * Deletes one batch of expired rows of `table`, the oldest first, and skips rows that another transaction has locked.
 *
 * @returns the number of deleted rows; fewer than {@link batchSize} when none are left.
 */
async function deleteExpired<Table extends keyof DB>(
  db: Db,
  table: Table,
  { key, expiresAt, among, cutoff, except }: Expiry<Table>,
): Promise<number> {
  const eb = expressionBuilder<DB, Table>();
  const condition = among === undefined ? sql`` : sql` AND ${among(eb)}`;
  const exception = except === undefined ? sql`` : sql` AND NOT (${except(eb)})`;
  // ANY (ARRAY(…)): the planner runs the subquery once and then finds the rows by key, whatever its estimates.
  const { numAffectedRows } = await sql`
    DELETE FROM ${sql.table(table)} WHERE ${sql.ref(key)} = ANY (ARRAY(
      SELECT ${sql.ref(key)} FROM ${sql.table(table)} WHERE ${expiresAt(eb)} <= ${cutoff}${condition}${exception}
      ORDER BY ${expiresAt(eb)} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))`.execute(db);
  return Number(numAffectedRows);
}

export async function deleteThrottleCounters(db: Db, now: Date): Promise<number> {
  return await deleteExpired(db, 'throttle_counters', {
    key: 'key',
    expiresAt: (eb) => eb.ref('window_ends_at'),
    cutoff: now,
  });
}

export async function deleteRefusalWindows(db: Db, now: Date): Promise<number> {
  return await deleteExpired(db, 'refusal_windows', {
    key: 'key',
    expiresAt: (eb) => eb.ref('window_ends_at'),
    cutoff: now,
  });
}

export async function deleteIdempotencyKeys(db: Db, now: Date): Promise<number> {
  return await deleteExpired(db, 'idempotency_keys', {
    key: 'ctid',
    expiresAt: (eb) => eb.ref('expires_at'),
    cutoff: now,
  });
}

export async function deleteDeadMessages(db: Db, cutoff: Date): Promise<number> {
  return await deleteExpired(db, 'outbox_messages', {
    key: 'id',
    expiresAt: (eb) => eb.ref('dead_at'),
    cutoff,
  });
}

/** Mails that have been due since `cutoff`. */
export async function deleteWaitingMails(db: Db, cutoff: Date): Promise<number> {
  return await deleteExpired(db, 'outbox_messages', {
    key: 'id',
    // Not `created_at`: an operator may have made an old one due again.
    expiresAt: (eb) => eb.ref('available_at'),
    among: (eb) => eb.and([eb('consumer', '=', 'mail'), eb('dead_at', 'is', null)]),
    cutoff,
  });
}

/** Deletes expired tokens at once, except exchanged and revoked ones: they are the evidence of reuse, until `evidenceEnds`. */
export async function deleteRefreshTokens(tx: Tx, now: Date, evidenceEnds: Date): Promise<number> {
  return await deleteExpired(tx, 'refresh_tokens', {
    key: 'id',
    expiresAt: (eb) => eb.ref('expires_at'),
    cutoff: now,
    except: (eb) =>
      eb.and([eb('revoked', '=', true), eb(eb.fn.coalesce('rotated_at', 'expires_at'), '>', evidenceEnds)]),
  });
}

/** Deletes a session by its earliest end (idle, absolute or revoked), with its remaining tokens. */
export async function deleteSessions(tx: Tx, cutoff: Date): Promise<number> {
  return await deleteExpired(tx, 'sessions', {
    key: 'uuid',
    expiresAt: (eb) => eb.fn('least', ['idle_expires_at', 'absolute_expires_at', 'revoked_at']),
    cutoff,
  });
}

export async function deleteResetTokens(tx: Tx, cutoff: Date): Promise<number> {
  return await deleteExpired(tx, 'password_reset_tokens', {
    key: 'id',
    expiresAt: (eb) => eb.ref('expires_at'),
    cutoff,
  });
}

export async function deleteVerificationTokens(tx: Tx, cutoff: Date): Promise<number> {
  return await deleteExpired(tx, 'email_verification_tokens', {
    key: 'id',
    expiresAt: (eb) => eb.ref('expires_at'),
    cutoff,
  });
}

export async function deleteInvitations(tx: Tx, cutoff: Date): Promise<number> {
  return await deleteExpired(tx, 'invitations', {
    key: 'uuid',
    expiresAt: (eb) => eb.ref('expires_at'),
    cutoff,
  });
}

export async function deleteUnseenDevices(tx: Tx, cutoff: Date): Promise<number> {
  return await deleteExpired(tx, 'push_devices', {
    key: 'uuid',
    expiresAt: (eb) => eb.ref('last_seen_at'),
    cutoff,
  });
}

/** Runs come every hour. What a longer outage of theirs leaves behind gets no messages, and goes with its session's row. */
const lookBackMs = 2 * 24 * 60 * 60 * 1000;

/**
 * Deletes one batch of the devices whose sessions have ended of late: one that is revoked takes them along at once, one that
 * expires does not.
 *
 * @returns the number of deleted rows.
 */
export async function deleteDevicesOfEndedSessions(tx: Tx, now: Date): Promise<number> {
  const from = new Date(now.getTime() - lookBackMs);
  // By the index sessions_to_clean, then by that of the sessions' devices.
  const { numAffectedRows } = await sql`
    DELETE FROM push_devices WHERE uuid = ANY (ARRAY(
      SELECT uuid FROM push_devices WHERE session_uuid = ANY (ARRAY(
        SELECT uuid FROM sessions
        WHERE least(idle_expires_at, absolute_expires_at, revoked_at) BETWEEN ${from} AND ${now}))
      LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))`.execute(tx);
  return Number(numAffectedRows);
}

export async function deleteNotices(tx: Tx, now: Date): Promise<number> {
  return await deleteExpired(tx, 'user_notices', {
    key: 'id',
    expiresAt: (eb) => eb.ref('expires_at'),
    cutoff: now,
  });
}

export async function deleteSkips(tx: Tx, now: Date): Promise<number> {
  return await deleteExpired(tx, 'case_skips', {
    key: 'ctid',
    expiresAt: (eb) => eb.ref('until'),
    cutoff: now,
  });
}
