import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { openCursor, sealCursor } from '../../../lib/paging/cursor.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { toPage } from '../../../lib/paging/page.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { countPatientsRead } from '../../platform/throttle/count-patients-read.ts';
import { isNamelessTo, showSummaries } from '../cases/show-summaries.ts';
import { countBatches, findBatch, listBatchCases } from './batch.queries.ts';
import type { CaseBatch } from './batch.schemas.ts';

/**
 * A batch with those of its cases that the caller may see, page by page.
 * @throws {Problem} `batch_not_found` where the caller may see none; `cursor_invalid`
 */
export async function readBatch(
  context: Context,
  actor: AccountActor,
  { uuid, cursor, limit }: { uuid: string; cursor?: string | undefined; limit: number },
): Promise<CaseBatch> {
  const { config, request, audit } = context;
  const scope = {
    list: 'cases of a batch',
    tenantId: actor.tenantId,
    filters: { caller: actor.uuid, batch: uuid },
  };
  const position = cursor === undefined ? undefined : openCursor(config, scope, cursor);
  return await inTenant(context.db, actor.tenantId, async (tx) => {
    const staff = await loadStaff(tx, actor);
    const batch = await findBatch(tx, uuid);
    const found = await listBatchCases(tx, staff, uuid, { position, limit: limit + 1 });
    if (batch === undefined || (found.length === 0 && position === undefined)) {
      throw new Problem('batch_not_found', { conceals: { kind: 'batch', uuid } });
    }
    const page = toPage(found, limit, ({ id }) => sealCursor(config, scope, [id]));
    const size = (await countBatches(tx, [batch.uuid])).get(batch.uuid)?.size ?? 0;
    const at = { language: request.language, now: request.receivedAt, hideNames: isNamelessTo(staff) };
    const cases = await showSummaries(tx, at, page.items);
    await audit.succeeded(tx, { subject: { kind: 'batch', uuid }, detail: { items: cases.length } });
    const named = cases.filter(({ patient }) => patient.display_name !== null);
    await countPatientsRead(
      tx,
      context,
      actor,
      named.map(({ patient }) => patient.uuid),
    );
    return {
      ...batch,
      complete: size >= batch.expected_size,
      cases,
      next_cursor: page.next_cursor,
    };
  });
}
