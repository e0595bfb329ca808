import { type RawBuilder, sql } from 'kysely';
import { systemClock } from '../../contract/clock.ts';
import type { Db, Tx } from '../db/connect.ts';
import { type Consumer, insertMessage, type NewMessage, outboxConsumers } from './enqueue.ts';
import { ClaimLost, type OutboxMessage } from './message.ts';

/*
 * A message is due when `available_at` has passed and no worker has claimed it; a claim expires when its worker dies.
 * `now` is the app's clock: instances differ by milliseconds, a claim is several times longer than the work done in it,
 * and a worker that comes too late finds another number in `attempts`.
 */

/** Duration of a claim in seconds, at least; the deliveries of one batch must take less. */
export const claimSeconds = 60;
/** Attempts until a message is dead. */
export const maximumAttempts = 10;
/** Seconds until the next attempt: 10 · 4^(attempts so far - 1), an hour at most. */
export function backoffSeconds(attempt: number): number {
  return Math.min(10 * 4 ** (attempt - 1), 3600);
}

interface ClaimedRow {
  id: number;
  topic: string;
  tenant_id: number | null;
  dedupe_key: string;
  payload: unknown;
  attempts: number;
  created_at: Date;
}

/**
 * Claims up to `limit` due messages for this worker, only of `topics` if given, and skips rows that another worker is
 * claiming.
 * @returns the claimed messages by id; `attempt` counts this claim.
 */
export async function claimMessages(
  db: Db,
  consumer: Consumer,
  limit: number,
  topics?: readonly string[],
  now: Date = systemClock.now(),
  seconds: number = claimSeconds,
): Promise<OutboxMessage[]> {
  const claimEnds = new Date(now.getTime() + seconds * 1000);
  // Materialized: a plan that ran the inner query twice would claim more than the limit.
  const { rows } = await sql<ClaimedRow>`
    WITH due AS MATERIALIZED (
      SELECT id FROM outbox_messages
      WHERE ${isDue(consumer, now)}
        AND (${topics ?? null}::text[] IS NULL OR topic = ANY (${topics ?? null}))
      ORDER BY available_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    UPDATE outbox_messages AS message
    SET attempts = attempts + 1, locked_until = ${claimEnds}
    FROM due WHERE message.id = due.id
    RETURNING message.id, topic, tenant_id, dedupe_key, payload, attempts, created_at`.execute(db);
  return rows.map((row) => asMessage(consumer, row)).toSorted((a, b) => a.id - b.id);
}

const asMessage = (consumer: Consumer, row: ClaimedRow): OutboxMessage => ({
  id: row.id,
  consumer,
  topic: row.topic,
  tenantId: row.tenant_id ?? undefined,
  dedupeKey: row.dedupe_key,
  payload: row.payload,
  createdAt: row.created_at,
  attempt: row.attempts,
});

/**
 * Stores a message whose first attempt the caller itself makes, within `seconds` of `now`; a worker claims it when the
 * caller has not settled it by then.
 * @returns undefined when a message with this key exists.
 */
export async function enqueueClaimed(
  tx: Tx,
  message: NewMessage & { dedupeKey: string },
  seconds: number,
  now: Date,
): Promise<OutboxMessage | undefined> {
  const claimEnds = new Date(now.getTime() + seconds * 1000);
  const stored = await insertMessage(tx, message, now, claimEnds)
    .returning(['id', 'created_at as createdAt'])
    .executeTakeFirst();
  if (stored === undefined) return undefined;
  const { consumer, topic, tenantId, dedupeKey, payload } = message;
  return { ...stored, consumer, topic, tenantId, dedupeKey, payload, attempt: 1 };
}

/** Number of due messages, which no worker has claimed; 1000 means that many or more. */
export async function countDue(db: Db, consumer: Consumer, now: Date = systemClock.now()): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) FROM (
      SELECT FROM outbox_messages WHERE ${isDue(consumer, now)} LIMIT 1000) AS due`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Consumers with messages that were due at `dueBefore` and are still there; of each at most 1000 are counted. */
export async function findStuckMessages(
  db: Db,
  dueBefore: Date,
): Promise<{ consumer: string; count: number; since: Date }[]> {
  const { rows } = await sql<{ consumer: string; count: number; since: Date }>`
    SELECT consumer, count(*)::int AS count, min(available_at) AS since
    FROM unnest(${[...outboxConsumers]}::text[]) AS each(consumer) CROSS JOIN LATERAL (
      SELECT available_at FROM outbox_messages AS message
      WHERE message.consumer = each.consumer AND dead_at IS NULL AND available_at <= ${dueBefore}
      ORDER BY available_at LIMIT 1000) AS stuck
    GROUP BY consumer ORDER BY consumer`.execute(db);
  return rows;
}

/**
 * Removes the message in the transaction that does its work, so that both happen or neither; for consumers that work in
 * this database.
 * @throws {ClaimLost}
 */
export async function settle(tx: Tx, message: OutboxMessage): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('outbox_messages')
    .where('id', '=', message.id)
    .where('attempts', '=', message.attempt)
    .where('dead_at', 'is', null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new ClaimLost();
}

/**
 * Locks the message until the transaction ends, for work that leaves it in the outbox.
 * @throws {ClaimLost} when it was removed or another worker has claimed it.
 */
export async function lockClaimed(tx: Tx, message: OutboxMessage): Promise<void> {
  const row = await tx
    .selectFrom('outbox_messages')
    .select('id')
    .where('id', '=', message.id)
    .where('attempts', '=', message.attempt)
    .where('dead_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new ClaimLost();
}

/** Removes a delivered message, even if another worker has claimed it: a second delivery would be a duplicate. */
export async function removeMessage(db: Db, message: OutboxMessage): Promise<void> {
  await db.deleteFrom('outbox_messages').where('id', '=', message.id).execute();
}

/** Releases the message for another attempt after `seconds`. */
export async function postponeMessage(
  db: Db,
  message: OutboxMessage,
  seconds: number,
  errorCode: string,
  now: Date,
): Promise<void> {
  const availableAt = new Date(now.getTime() + seconds * 1000);
  await claimed(db, message)
    .set({ locked_until: null, last_error_code: errorCode, available_at: availableAt })
    .execute();
}

/**
 * Marks the message dead: it stays for an operator and is not retried.
 * @returns false when another worker has claimed it.
 */
export async function buryMessage(
  db: Db,
  message: OutboxMessage,
  errorCode: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await claimed(db, message)
    .set({ locked_until: null, last_error_code: errorCode, dead_at: now })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Releases a claimed message until a later time; the attempt does not count. */
export async function deferMessage(db: Db, message: OutboxMessage, until: Date): Promise<void> {
  await claimed(db, message)
    .set({ locked_until: null, attempts: message.attempt - 1, available_at: until })
    .execute();
}

/** Releases a claimed message that was not attempted; any worker may claim it at once. */
export async function returnMessage(db: Db, message: OutboxMessage): Promise<void> {
  await claimed(db, message)
    .set({ locked_until: null, attempts: message.attempt - 1 })
    .execute();
}

/**
 * Messages whose worker vanished in the last attempt: a message that crashes its worker must not crash every worker in
 * turn. They are to be given up.
 */
export async function findAbandoned(db: Db, consumer: Consumer, now: Date): Promise<OutboxMessage[]> {
  const rows = await db
    .selectFrom('outbox_messages')
    .select(['id', 'topic', 'tenant_id', 'payload', 'attempts', 'created_at'])
    .select((eb) => eb.fn.coalesce('dedupe_key', sql.lit('')).as('dedupe_key'))
    .where('consumer', '=', consumer)
    .where('dead_at', 'is', null)
    .where('attempts', '>=', maximumAttempts)
    .where('locked_until', '<=', now)
    // In the order of their index: a plan without the values takes half of all messages for abandoned, and reads the table.
    .orderBy('locked_until')
    .limit(100)
    .execute();
  return rows.map((row) => asMessage(consumer, row));
}

function isDue(consumer: Consumer, now: Date): RawBuilder<boolean> {
  return sql`consumer = ${consumer} AND dead_at IS NULL AND available_at < ${justAfter(now)}
    AND (locked_until IS NULL OR locked_until <= ${now}) AND attempts < ${maximumAttempts}`;
}

/** PostgreSQL stores microseconds, a Date has milliseconds: rows of the current millisecond are due. */
function justAfter(now: Date): Date {
  return new Date(now.getTime() + 1);
}

/** An update that applies only while the claim is still ours. */
function claimed(db: Db, { id, attempt }: OutboxMessage) {
  return db
    .updateTable('outbox_messages')
    .where('id', '=', id)
    .where('attempts', '=', attempt)
    .where('dead_at', 'is', null);
}
