import type { Db, Tx } from '../db/connect.ts';

/*
 * Messages that were given up, for people to look at. The worker passes them over for good (claims.ts), so that
 * nobody else has them in hand.
 */

export interface DeadMessage {
  id: number;
  consumer: string;
  topic: string;
  tenantId: number | undefined;
  /** The tenant's slug. */
  tenant: string | undefined;
  /** Ids and sealed values: not for eyes. */
  payload: unknown;
  tries: number;
  lastErrorCode: string | null;
  createdAt: Date;
  deadAt: Date;
}

/** All dead messages, the oldest first, or those of `ids`; read in pages. */
export async function* deadMessages(db: Db, ids?: readonly number[]): AsyncGenerator<DeadMessage> {
  const pageSize = 500;
  let page: DeadMessage[];
  let after = 0;
  do {
    page = await deadMessagePage(db, { after, limit: pageSize, ids });
    yield* page;
    after = page.at(-1)?.id ?? after;
  } while (page.length === pageSize);
}

async function deadMessagePage(
  db: Db,
  { after, limit, ids }: { after: number; limit: number; ids: readonly number[] | undefined },
): Promise<DeadMessage[]> {
  const rows = await db
    .selectFrom('outbox_messages as message')
    .leftJoin('tenants as tenant', 'tenant.id', 'message.tenant_id')
    .selectAll('message')
    .select('tenant.slug')
    .where('message.dead_at', 'is not', null)
    .where('message.id', '>', after)
    .$if(ids !== undefined, (query) => query.where('message.id', 'in', ids ?? []))
    .orderBy('message.id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    consumer: row.consumer,
    topic: row.topic,
    tenantId: row.tenant_id ?? undefined,
    tenant: row.slug ?? undefined,
    payload: row.payload,
    tries: row.attempts,
    lastErrorCode: row.last_error_code,
    createdAt: row.created_at,
    deadAt: row.dead_at as Date,
  }));
}

/**
 * Gives a dead message as many tries as a new one has; the worker takes it with its next run.
 * @returns false when it is not dead any more.
 */
export async function reviveMessage(tx: Tx, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('outbox_messages')
    .set({ dead_at: null, attempts: 0, available_at: now })
    .where('id', '=', id)
    .where('dead_at', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
