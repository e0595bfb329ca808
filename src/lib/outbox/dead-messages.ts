import type { Db, Tx } from '../db/connect.ts';

/*
 * Dead messages, for operators. Workers never claim them (claims.ts), so nothing else changes these rows.
 */

export interface DeadMessage {
  id: number;
  consumer: string;
  topic: string;
  tenantId: number | undefined;
  /** The tenant's slug. */
  tenant: string | undefined;
  /** Ids and sealed values; not for display. */
  payload: unknown;
  tries: number;
  lastErrorCode: string | null;
  createdAt: Date;
  deadAt: Date;
}

/** All dead messages or those of `ids`, the oldest first, read in pages. */
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
 * Gives a dead message the attempts of a new one; the next run of a worker claims it.
 * @returns false when the message is no longer dead.
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
