import { v7 as uuidv7 } from 'uuid';
import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import {
  type IdempotentOutcome,
  idempotentRequest,
  withIdempotencyKeyForResource,
} from '../../../lib/idempotency/idempotency.ts';
import { requireDisease } from '../../catalogue/diseases/disease.queries.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { checkTemplate } from './check-template.ts';
import { ownerFor } from './template-rights.ts';
import { findTemplate, insertTemplate, showTemplates } from './template.queries.ts';
import type { NewTemplate, Template } from './template.schemas.ts';

/**
 * Stores a template of the caller's or of the clinic. A retry with the same `Idempotency-Key` gets the first reply.
 * @throws {Problem} `template_invalid`, `template_placeholder_unknown`, `disease_not_found`, `capability_required`,
 *   `physician_profile_required`, `name_taken`, those of idempotency
 */
export async function createTemplate(
  context: Context,
  actor: AccountActor,
  { kind, scope, name, bodies, disease_id: diseaseId = null, is_default: isDefault = false }: NewTemplate,
): Promise<IdempotentOutcome<Template>> {
  const { db, audit, request } = context;
  const { tenantId } = actor;
  const placeholders = await checkTemplate(bodies);
  const content = [JSON.stringify([kind, scope, name, bodies, diseaseId, isDefault])];
  const key = idempotentRequest(context, actor, 'POST api/v1/backoffice/templates', content);
  return await withIdempotencyKeyForResource<Template>(
    db,
    key,
    async (done) =>
      await inTenant(db, tenantId, async (tx) => {
        const owner = ownerFor(await loadStaff(tx, actor), scope);
        await requireDisease(tx, diseaseId);
        const uuid = uuidv7();
        const row = await insertTemplate(
          tx,
          {
            uuid,
            tenant_id: tenantId,
            kind,
            scope,
            physician_id: owner,
            disease_id: diseaseId,
            name,
            bodies,
            placeholders,
            is_default: isDefault,
          },
          request.receivedAt,
        );
        await audit.succeeded(tx, {
          subject: { kind: 'template', uuid },
          detail: { template: row.id, kind, scope },
        });
        await done?.(tx, uuid);
        return (await showTemplates(tx, [row]))[0] as Template;
      }),
    (uuid) =>
      inTenant(db, tenantId, async (tx) => {
        const row = await findTemplate(tx, uuid);
        return row && (await showTemplates(tx, [row]))[0];
      }),
  );
}
