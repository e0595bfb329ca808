import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import type { BatchCounts } from './batch.schemas.ts';

/** How batches stand, with all their cases: those that the caller may not see are counted, and nothing else. */
export async function countBatches(tx: Tx, batchUuids: readonly string[]): Promise<Map<string, BatchCounts>> {
  if (batchUuids.length === 0) return new Map();
  const { rows } = await sql<BatchCounts & { uuid: string }>`
    SELECT batch_uuid AS uuid, count(*)::integer AS size,
      (count(*) FILTER (WHERE status IN ('submitted', 'queued', 'in_review', 'on_hold')))::integer AS open,
      (count(*) FILTER (WHERE status IN ('answered', 'closed')))::integer AS answered
    FROM request_records
    WHERE batch_uuid = ANY (${[...new Set(batchUuids)]}::uuid[]) AND submitted_at IS NOT NULL AND erased_at IS NULL
    GROUP BY batch_uuid`.execute(tx);
  return new Map(rows.map(({ uuid, ...counts }) => [uuid, counts]));
}

export const batchesOf = (records: readonly CaseRecord[]): string[] =>
  records.flatMap(({ batch_uuid: batch }) => batch ?? []);
