import { sql } from 'kysely';
import type { AccountActor } from '../../../contract/actor.ts';
import type { Language } from '../../../contract/language.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { openCursor, sealCursor } from '../../../lib/paging/cursor.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { type Page, toPage } from '../../../lib/paging/page.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { findPhysicianByEmail } from '../../identity/physicians/physician.queries.ts';
import { showTemplates, templatesInUse } from './template.queries.ts';
import type { Template, TemplateKind, TemplateScope } from './template.schemas.ts';

interface Filter {
  kind?: TemplateKind | undefined;
  lang?: Language | undefined;
  scope?: TemplateScope | undefined;
  cursor?: string | undefined;
  limit: number;
}

/**
 * The caller's own templates and the clinic's, the oldest first.
 * @throws {Problem} `cursor_invalid`
 */
export async function listTemplates(
  context: Context,
  actor: AccountActor,
  filter: Filter,
): Promise<Page<Template>> {
  return await inTenant(context.db, actor.tenantId, async (tx) => {
    const { physician } = await loadStaff(tx, actor);
    const seen = templatesInUse(tx).where((eb) =>
      eb.or([eb('scope', '=', 'tenant'), eb('physician_id', '=', physician?.id ?? 0)]),
    );
    return await pageOf(context, tx, actor, seen, { ...filter, list: 'templates' });
  });
}

/**
 * The templates of one physician, the oldest first: one's own, or for admins those of any in the tenant.
 * @param owner an address, or the word `me`.
 * @throws {Problem} `forbidden` for another's, `physician_not_found`, `cursor_invalid`
 */
export async function listPhysicianTemplates(
  context: Context,
  actor: AccountActor,
  { owner, ...filter }: Filter & { owner: string },
): Promise<Page<Template>> {
  const isMe = owner === 'me' || owner.toLowerCase() === actor.account.user.email;
  if (!isMe && actor.role !== 'admin') throw new Problem('forbidden');
  return await inTenant(context.db, actor.tenantId, async (tx) => {
    const id = isMe
      ? (await loadStaff(tx, actor)).physician?.id
      : (await findPhysicianByEmail(tx, owner.toLowerCase()))?.id;
    if (id === undefined) throw new Problem('physician_not_found');
    const theirs = templatesInUse(tx).where('physician_id', '=', id);
    return await pageOf(context, tx, actor, theirs, { ...filter, list: `templates of ${id}` });
  });
}

/** Names of people stand in no cursor: `list` has the number of a physician. */
async function pageOf(
  { config }: Context,
  tx: Tx,
  { tenantId, uuid: account }: AccountActor,
  templates: ReturnType<typeof templatesInUse>,
  { kind, lang, scope, cursor, limit, list }: Filter & { list: string },
): Promise<Page<Template>> {
  const filters = { account, kind, lang, scope };
  const cursorScope = { list, tenantId, filters };
  const [after] = cursor === undefined ? [] : openCursor(config, cursorScope, cursor);
  const rows = await templates
    .where(({ and, eb }) =>
      and([
        ...(kind === undefined ? [] : [eb('kind', '=', kind)]),
        ...(scope === undefined ? [] : [eb('scope', '=', scope)]),
      ]),
    )
    .$if(lang !== undefined, (query) => query.where(sql<boolean>`bodies ? ${lang}::text`))
    .$if(after !== undefined, (query) => query.where('id', '>', Number(after)))
    .orderBy('id')
    .limit(limit + 1)
    .execute();
  const page = toPage(rows, limit, (last) => sealCursor(config, cursorScope, [last.id]));
  return { ...page, items: await showTemplates(tx, page.items) };
}
