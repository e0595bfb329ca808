import { sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import type { Position } from '../../../lib/paging/cursor.ts';
import type { Staff } from '../../identity/groups/staff.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { isVisibleTo } from '../../cases/record/visible-cases.queries.ts';
import type { BatchCounts, CaseBatch } from './batch.schemas.ts';

export interface BatchRow {
  uuid: string;
  kind: CaseBatch['kind'];
  expected_size: number;
  created_at: Date;
}

export async function findBatch(tx: Tx, uuid: string): Promise<BatchRow | undefined> {
  return await tx
    .selectFrom('case_batches')
    .select(['uuid', 'kind', 'expected_size', 'created_at'])
    .where('uuid', '=', uuid)
    .executeTakeFirst();
}

/** Those of a batch that the caller may see. @param position of the last one of the page before. */
export async function listBatchCases(
  tx: Tx,
  staff: Staff,
  batchUuid: string,
  { position: [after] = [], limit }: { position: Position | undefined; limit: number },
): Promise<CaseRecord[]> {
  return await tx
    .selectFrom('request_records')
    .selectAll()
    .where('batch_uuid', '=', batchUuid)
    .where(isVisibleTo(staff))
    .$if(after !== undefined, (query) => query.where('id', '>', Number(after)))
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Those of some cases that the caller may see. */
export async function findVisibleCases(
  tx: Tx,
  staff: Staff,
  caseUuids: readonly string[],
): Promise<CaseRecord[]> {
  return await tx
    .selectFrom('request_records')
    .selectAll()
    .where('uuid', 'in', caseUuids)
    .where(isVisibleTo(staff))
    .execute();
}

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
