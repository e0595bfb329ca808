import { createHash } from 'node:crypto';
import type { Tx } from '../../../lib/db/connect.ts';
import { beginMessage, findLastSeq, lockDueFeed } from './analytics.queries.ts';
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

/** A message that is to be sent, and by what the next one is compared with it. */
export interface NextMessage {
  message: AnalyticsMessage;
  fingerprint: Buffer;
}

/**
 * What is to be published now, by this instance and no other: undefined while nobody listens, when nothing has changed, and
 * within `everyMs` of the last message. Until `recordSent` the next message is sent whatever has changed: this one may
 * reach the hub or not, also where this process ends first.
 */
export async function nextMessage(
  tx: Tx,
  tenantId: number,
  { now, everyMs }: { now: Date; everyMs: number },
): Promise<NextMessage | undefined> {
  const before = new Date(now.getTime() - everyMs);
  const feed = await lockDueFeed(tx, tenantId, { now, before });
  if (feed === undefined) return undefined;
  const counts = await countCases(tx, tenantId, now);
  const fingerprint = fingerprintOf(counts);
  if (feed.fingerprint?.equals(fingerprint) === true) return undefined;
  const seq = feed.seq + 1;
  await beginMessage(tx, tenantId, { seq, now });
  const message = { type: 'delta' as const, at: now.toISOString(), seq, tenant_id: tenantId, ...counts };
  return { message, fingerprint };
}

/** The state for a client that has just connected. */
export async function snapshot(tx: Tx, tenantId: number, now: Date): Promise<AnalyticsMessage> {
  const seq = await findLastSeq(tx, tenantId);
  const counts = await countCases(tx, tenantId, now);
  return { type: 'snapshot', at: now.toISOString(), seq, tenant_id: tenantId, ...counts };
}

/** The time that calls of the AI service take changes all the time, and alone is no news. */
function fingerprintOf({ ai: { state }, ...counts }: Counts): Buffer {
  return createHash('sha256')
    .update(JSON.stringify({ ...counts, ai: state }))
    .digest();
}
