import { sql } from 'kysely';
import type { Db, Tx } from '../../lib/db/connect.ts';
import { inTenant } from '../../lib/db/tenant.ts';

/** `= ANY (ARRAY(…))` below: the rows are chosen once, and then found by their key whatever the planner expects. */
const batchSize = 1000;
/** Used-up and revoked tokens stay this long: without them a replay could not be told from nonsense. */
const evidenceMs = 30 * 24 * 60 * 60 * 1000;

export type Swept = Record<
  'refresh_tokens' | 'sessions' | 'reset_tokens' | 'invitations' | 'throttle' | 'idempotency_keys',
  number
>;

/**
 * Deletes what has expired: tokens, sessions, invitations and counters. Small batches, each in a transaction of its
 * own, so that no lock is held long; whatever is left over when `deadline` is reached comes next time.
 *
 * @returns how many rows went, by kind.
 */
export async function sweep(db: Db, now: Date, deadline: AbortSignal): Promise<Swept> {
  const swept: Swept = {
    refresh_tokens: 0,
    sessions: 0,
    reset_tokens: 0,
    invitations: 0,
    throttle: 0,
    idempotency_keys: 0,
  };
  swept.throttle = await inBatches(deadline, () => sweepThrottle(db, now));
  swept.idempotency_keys = await inBatches(deadline, () => sweepIdempotencyKeys(db, now));
  const evidenceEnds = new Date(now.getTime() - evidenceMs);
  const tenants = await db.selectFrom('tenants').select('id').orderBy('id').execute();
  for (const { id } of tenants) {
    const batch = (work: (tx: Tx) => Promise<number>) => inBatches(deadline, () => inTenant(db, id, work));
    swept.refresh_tokens += await batch((tx) => sweepRefreshTokens(tx, now, evidenceEnds));
    swept.sessions += await batch((tx) => sweepSessions(tx, evidenceEnds));
    swept.reset_tokens += await batch((tx) => sweepResetTokens(tx, evidenceEnds));
    swept.invitations += await batch((tx) => sweepInvitations(tx, evidenceEnds));
  }
  return swept;
}

async function inBatches(deadline: AbortSignal, deleteBatch: () => Promise<number>): Promise<number> {
  let total = 0;
  let deleted = batchSize;
  while (deleted === batchSize && !deadline.aborted) {
    deleted = await deleteBatch();
    total += deleted;
  }
  return total;
}

async function sweepThrottle(db: Db, now: Date): Promise<number> {
  const { rows } = await sql`
    DELETE FROM throttle_counters WHERE key = ANY (ARRAY(
      SELECT key FROM throttle_counters WHERE window_ends_at <= ${now}
      LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))
    RETURNING 1`.execute(db);
  return rows.length;
}

async function sweepIdempotencyKeys(db: Db, now: Date): Promise<number> {
  const { rows } = await sql`
    DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM idempotency_keys WHERE expires_at <= ${now}
      LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))
    RETURNING 1`.execute(db);
  return rows.length;
}

/** Expired ones at once, except those that were exchanged or revoked: they are the evidence of reuse. */
async function sweepRefreshTokens(tx: Tx, now: Date, evidenceEnds: Date): Promise<number> {
  const { rows } = await sql`
    DELETE FROM refresh_tokens WHERE id = ANY (ARRAY(
      SELECT r.id FROM refresh_tokens r
      WHERE r.expires_at <= ${now}
        AND (NOT r.revoked OR coalesce(r.rotated_at, r.expires_at) <= ${evidenceEnds})
      ORDER BY r.expires_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))
    RETURNING 1`.execute(tx);
  return rows.length;
}

/** A session goes 30 days after it ended, with the tokens that are left of it. */
async function sweepSessions(tx: Tx, evidenceEnds: Date): Promise<number> {
  const { rows } = await sql`
    DELETE FROM sessions WHERE uuid = ANY (ARRAY(
      SELECT s.uuid FROM sessions s
      WHERE least(s.idle_expires_at, s.absolute_expires_at, s.revoked_at) <= ${evidenceEnds}
      LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))
    RETURNING 1`.execute(tx);
  return rows.length;
}

async function sweepResetTokens(tx: Tx, evidenceEnds: Date): Promise<number> {
  const { rows } = await sql`
    DELETE FROM password_reset_tokens WHERE id = ANY (ARRAY(
      SELECT id FROM password_reset_tokens WHERE expires_at <= ${evidenceEnds}
      ORDER BY expires_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))
    RETURNING 1`.execute(tx);
  return rows.length;
}

async function sweepInvitations(tx: Tx, evidenceEnds: Date): Promise<number> {
  const { rows } = await sql`
    DELETE FROM invitations WHERE uuid = ANY (ARRAY(
      SELECT uuid FROM invitations WHERE expires_at <= ${evidenceEnds}
      ORDER BY expires_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))
    RETURNING 1`.execute(tx);
  return rows.length;
}
