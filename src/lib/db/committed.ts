import { sql } from 'kysely';
import { systemClock } from '../../contract/clock.ts';
import { pause } from '../concurrency/pause.ts';
import { withinMs } from '../concurrency/within-ms.ts';
import type { Db, Tx } from './connect.ts';

/** A row of `event_logs` with a tenant. */
export interface WrittenEvent {
  uuid: string;
  category: string;
  tenantId: number;
}

/** The last event of each transaction. */
const written = new WeakMap<Db, WrittenEvent>();

/** Pauses before PostgreSQL is asked: it may be at the COMMIT still. */
const pausesMs = [0, 100, 400, 1000] as const;
/** The caller has waited for the COMMIT already. */
const askForMs = 3000;
/** Only partitions of so late are searched; longer than any transaction takes, and than clocks differ. */
const recentMs = 60 * 60 * 1000;

/** Notes an event that `db` writes, which is there afterwards if and only if its transaction was committed. */
export function noteEvent(db: Db, event: WrittenEvent): void {
  if (db.isTransaction) written.set(db, event);
}

/**
 * Whether a transaction has been committed although the reply never came.
 * @returns false also where that cannot be known: it has written no event, or PostgreSQL is away.
 */
export async function hasCommitted(db: Db, tx: Tx): Promise<boolean> {
  const event = written.get(tx);
  if (event === undefined) return false;
  try {
    return await withinMs(askForMs, async (signal) => {
      for (const ms of pausesMs) {
        await pause(ms, signal);
        if (await isThere(db, event).catch(() => false)) return true;
      }
      return false;
    });
  } catch {
    return false;
  }
}

async function isThere(db: Db, { uuid, category, tenantId }: WrittenEvent): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    await sql`SET LOCAL app.tenant = ${sql.lit(String(tenantId))}`.execute(tx);
    const { rows } = await sql`
      SELECT FROM event_logs
      WHERE tenant_id = ${tenantId} AND category = ${category} AND uuid = ${uuid}
        AND at > ${new Date(systemClock.now().getTime() - recentMs)}`.execute(tx);
    return rows.length > 0;
  });
}
