import type { AccountActor } from '../../../contract/actor.ts';
import type { Language } from '../../../contract/language.ts';
import type { Context } from '../../../lib/app/context.ts';
import { openCursor, sealCursor } from '../../../lib/paging/cursor.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { type Page, toPage } from '../../../lib/paging/page.ts';
import { requireDisease } from '../../catalogue/diseases/disease.queries.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { findDiseaseTemplates } from './template-list.queries.ts';
import { showTemplates } from './template.queries.ts';
import type { Template } from './template.schemas.ts';

/**
 * Templates for an answer that names a disease: the caller's for it, the clinic's for it, then defaults for any disease, the
 * caller's before the clinic's.
 * @throws {Problem} `disease_not_found`, `cursor_invalid`
 */
export async function listDiseaseTemplates(
  { db, config }: Context,
  actor: AccountActor,
  {
    diseaseId,
    lang,
    cursor,
    limit,
  }: { diseaseId: number; lang?: Language | undefined; cursor?: string | undefined; limit: number },
): Promise<Page<Template>> {
  const { tenantId } = actor;
  const scope = {
    list: 'templates of a disease',
    tenantId,
    filters: { account: actor.uuid, diseaseId, lang },
  };
  const [rank, id] = cursor === undefined ? [] : openCursor(config, scope, cursor);
  const after = id === undefined ? undefined : { rank: Number(rank), id: Number(id) };
  return await inTenant(db, tenantId, async (tx) => {
    await requireDisease(tx, diseaseId);
    const { physician } = await loadStaff(tx, actor);
    const rows = await findDiseaseTemplates(tx, physician?.id, { diseaseId, lang, after, limit: limit + 1 });
    const page = toPage(rows, limit, (last) => sealCursor(config, scope, [last.rank, last.id]));
    return { ...page, items: await showTemplates(tx, page.items) };
  });
}
