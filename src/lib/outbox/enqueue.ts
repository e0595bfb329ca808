import { v7 as uuidv7 } from 'uuid';
import { systemClock } from '../../contract/clock.ts';
import type { Db } from '../db/connect.ts';

/** The worker that handles a message. The table's CHECK already allows later consumers. */
export const outboxConsumers = ['mail', 'push', 'analysis'] as const;
export type Consumer = (typeof outboxConsumers)[number];

export interface NewMessage {
  consumer: Consumer;
  /** The event, in snake_case: the consumer parses the payload by it. */
  topic: string;
  /** Tenant of the consumer's transaction; absent when the tenant was not yet known. */
  tenantId?: number | undefined;
  /** Ids and codes; secret and personal values are sealed (lib/crypto/field-crypto.ts). */
  payload: Record<string, string | number | boolean | null>;
  /** A second message with the same key is dropped. Random by default. */
  dedupeKey?: string | undefined;
}

/**
 * Stores a message that a worker delivers at least once after `db` commits; `db` is usually the transaction that causes
 * it. Call `outbox.kick()` after the commit.
 */
export async function enqueue(db: Db, message: NewMessage, now: Date = systemClock.now()): Promise<void> {
  await insertMessage(db, message, now).execute();
}

/** @param claimedUntil the caller makes the first attempt itself, and until then no worker makes another. */
export function insertMessage(db: Db, message: NewMessage, now: Date, claimedUntil?: Date) {
  return db
    .insertInto('outbox_messages')
    .values({
      consumer: message.consumer,
      topic: message.topic,
      tenant_id: message.tenantId ?? null,
      payload: JSON.stringify(message.payload),
      available_at: now,
      ...(claimedUntil !== undefined && { attempts: 1, locked_until: claimedUntil }),
      // Never null: consumers send it along, so that a second copy is recognised.
      dedupe_key: message.dedupeKey ?? `${message.topic}:${uuidv7()}`,
    })
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing());
}
