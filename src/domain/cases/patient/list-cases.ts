import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { openCursor, sealCursor } from '../../../lib/paging/cursor.ts';
import { type Page, toPage } from '../../../lib/paging/page.ts';
import type { CaseView, ListedCase } from '../record/mobile-case.schemas.ts';
import { showsPredictions } from './read-case.ts';
import { showCases, summarizeCases } from './show-cases.ts';
import { listOwnCases } from './shown-cases.queries.ts';

/**
 * The caller's cases, the newest first. Pages go by keys: cases that arrive meanwhile neither repeat nor hide others.
 * @throws {Problem} `cursor_invalid`
 */
export async function listCases(
  context: Context,
  actor: AccountActor,
  {
    patientUuid,
    cursor,
    limit,
    view,
  }: {
    patientUuid?: string | undefined;
    cursor?: string | undefined;
    limit: number;
    view: CaseView;
  },
): Promise<Page<ListedCase>> {
  const { db, config, request } = context;
  const filters = { account: actor.uuid, patient: patientUuid ?? null };
  const scope = { list: 'mobile cases, newest first', tenantId: actor.tenantId, filters };
  const after = cursor === undefined ? undefined : openCursor(config, scope, cursor);
  const showPredictions = view === 'full' && (await showsPredictions(context, actor.tenantId));
  const show = view === 'full' ? showCases : summarizeCases;
  return await inTenant(db, actor.tenantId, async (tx) => {
    const records = await listOwnCases(tx, actor.id, { patientUuid, after, limit: limit + 1 });
    const page = toPage(records, limit, (last) =>
      sealCursor(config, scope, [last.created_at.toISOString(), last.id]),
    );
    return { ...page, items: await show(tx, { request, config, showPredictions }, page.items) };
  });
}
