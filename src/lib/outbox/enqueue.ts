import { v7 as uuidv7 } from 'uuid';
import { systemClock } from '../../contract/clock.ts';
import type { Db } from '../db/connect.ts';

/** Who acts on a message. The table's CHECK knows the later ones already. */
export type Consumer = 'mail';

export interface NewMessage {
  consumer: Consumer;
  /** What happened, in snake_case: tells the consumer how to read the payload. */
  topic: string;
  /** Whose transaction the consumer works in; none where the message is from before a tenant is known. */
  tenantId?: number | undefined;
  /** Ids and codes; what is secret or personal is sealed (lib/field-crypto.ts). */
  payload: Record<string, string | number | boolean | null>;
  /** Names what is to be done once: a second message of the same key is not taken. Random where absent. */
  dedupeKey?: string | undefined;
}

/**
 * Leaves a message that is acted on after the commit of `db`, at least once: usually `db` is the transaction that
 * causes it. Call `outbox.kick()` after the commit.
 */
export async function enqueue(db: Db, message: NewMessage, now: Date = systemClock.now()): Promise<void> {
  await db
    .insertInto('outbox_messages')
    .values({
      consumer: message.consumer,
      topic: message.topic,
      tenant_id: message.tenantId ?? null,
      payload: JSON.stringify(message.payload),
      available_at: now,
      // Always there: what a consumer sends carries it, so that a second copy is recognised.
      dedupe_key: message.dedupeKey ?? `${message.topic}:${uuidv7()}`,
    })
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .execute();
}
