import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { requireDisease } from '../../catalogue/diseases/disease.queries.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { checkTemplate } from './check-template.ts';
import { lockOwnTemplate, ownerFor } from './template-rights.ts';
import { lockDefaults, showTemplates, updateTemplate as update } from './template.queries.ts';
import type { Template, TemplateChange } from './template.schemas.ts';

/**
 * Changes a template of the caller's or of the clinic; answers that were signed keep their text.
 * @throws {Problem} `template_not_found`, `template_invalid`, `template_placeholder_unknown`, `disease_not_found`,
 *   `capability_required`, `physician_profile_required`, `name_taken`, `version_conflict`
 */
export async function updateTemplate(
  { db, audit, request }: Context,
  actor: AccountActor,
  { id, version, ...change }: TemplateChange & { id: number; version: number },
): Promise<Template> {
  const placeholders = change.bodies && (await checkTemplate(change.bodies));
  return await inTenant(db, actor.tenantId, async (tx) => {
    const staff = await loadStaff(tx, actor);
    await lockDefaults(tx, actor.tenantId);
    const known = await lockOwnTemplate(tx, staff, id);
    const owner = change.scope === undefined ? known.physician_id : ownerFor(staff, change.scope);
    await requireDisease(tx, change.disease_id ?? null);
    const row = await update(
      tx,
      known,
      version,
      { ...change, physician_id: owner, ...(placeholders && { placeholders }) },
      request.receivedAt,
    );
    const changed = Object.keys(change).filter((key) => change[key as keyof typeof change] !== undefined);
    await audit.succeeded(tx, {
      subject: { kind: 'template', uuid: row.uuid },
      detail: { template: id, scope: row.scope, changed },
    });
    return (await showTemplates(tx, [row]))[0] as Template;
  });
}
