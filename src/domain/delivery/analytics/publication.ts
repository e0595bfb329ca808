import { createHash } from 'node:crypto';
import type { Tx } from '../../../lib/db/connect.ts';
import { type Counts, countCases } from './count-cases.ts';

/** What subscribers receive: always the whole state. */
export interface AnalyticsMessage extends Counts {
  /** `snapshot`: to one client that has just connected; `delta`: something has changed. */
  type: 'snapshot' | 'delta';
  at: string;
  /** Of the last change; a client that has seen a higher one ignores the message. */
  seq: number;
  tenant_id: number;
}

/** The clients of a tenant are awaited until then. */
export async function keepFeed(tx: Tx, tenantId: number, until: Date): Promise<void> {
  await tx
    .insertInto('analytics_feeds')
    .values({ tenant_id: tenantId, subscribed_until: until })
    .onConflict((conflict) =>
      conflict.column('tenant_id').doUpdateSet((eb) => ({
        subscribed_until: eb.fn('greatest', [
          'analytics_feeds.subscribed_until',
          'excluded.subscribed_until',
        ]),
      })),
    )
    .execute();
}

/** A message that is to be sent, and by what the next one is compared with it. */
export interface NextMessage {
  message: AnalyticsMessage;
  fingerprint: Buffer;
}

/**
 * What is to be published now, by this instance and no other: undefined while nobody listens, when nothing has changed, and
 * within `everyMs` of the last message. Until {@link recordSent} the next message is sent whatever has changed: this one may
 * reach the hub or not, also where this process ends first.
 */
export async function nextMessage(
  tx: Tx,
  tenantId: number,
  { now, everyMs }: { now: Date; everyMs: number },
): Promise<NextMessage | undefined> {
  const feed = await tx
    .selectFrom('analytics_feeds')
    .select(['seq', 'fingerprint'])
    .where('tenant_id', '=', tenantId)
    .where('subscribed_until', '>', now)
    .where((eb) =>
      eb.or([eb('published_at', 'is', null), eb('published_at', '<=', new Date(now.getTime() - everyMs))]),
    )
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (feed === undefined) return undefined;
  const counts = await countCases(tx, tenantId, now);
  const fingerprint = fingerprintOf(counts);
  if (feed.fingerprint?.equals(fingerprint) === true) return undefined;
  const seq = feed.seq + 1;
  await tx
    .updateTable('analytics_feeds')
    .set({ published_at: now, seq, fingerprint: null })
    .where('tenant_id', '=', tenantId)
    .execute();
  const message = { type: 'delta' as const, at: now.toISOString(), seq, tenant_id: tenantId, ...counts };
  return { message, fingerprint };
}

/** The state for a client that has just connected. */
export async function snapshot(tx: Tx, tenantId: number, now: Date): Promise<AnalyticsMessage> {
  const feed = await tx
    .selectFrom('analytics_feeds')
    .select('seq')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  const counts = await countCases(tx, tenantId, now);
  return { type: 'snapshot', at: now.toISOString(), seq: feed?.seq ?? 0, tenant_id: tenantId, ...counts };
}

/** The hub has taken the message: until something changes no other is sent, unless another one has been begun meanwhile. */
export async function recordSent(
  tx: Tx,
  tenantId: number,
  { message: { seq }, fingerprint }: NextMessage,
): Promise<void> {
  await tx
    .updateTable('analytics_feeds')
    .set({ fingerprint })
    .where('tenant_id', '=', tenantId)
    .where('seq', '=', seq)
    .execute();
}

/** The time that calls of the AI service take changes all the time, and alone is no news. */
function fingerprintOf({ ai: { state }, ...counts }: Counts): Buffer {
  return createHash('sha256')
    .update(JSON.stringify({ ...counts, ai: state }))
    .digest();
}
