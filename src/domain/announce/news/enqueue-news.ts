import type { Tx } from '../../../lib/db/connect.ts';
import { enqueue } from '../../../lib/outbox/enqueue.ts';
import { type NewsKind, newsOf, type NewsRecord } from './news.ts';

/** Stores the messages about an event of a case that is no move of its own; as {@link newsOf}. */
export async function enqueueNews(tx: Tx, record: NewsRecord, kind: NewsKind, at: Date): Promise<void> {
  for (const message of newsOf(record, kind, at)) await enqueue(tx, message, at);
}
