import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { lockOwnTemplate } from './template-rights.ts';
import { markDeleted } from './template.queries.ts';

/**
 * Withdraws a template of the caller's or of the clinic. Its row stays, because signed answers name it; its name is free.
 * @throws {Problem} `template_not_found`, `capability_required`
 */
export async function deleteTemplate(
  { db, audit, request }: Context,
  actor: AccountActor,
  id: number,
): Promise<void> {
  await inTenant(db, actor.tenantId, async (tx) => {
    const { uuid, scope } = await lockOwnTemplate(tx, await loadStaff(tx, actor), id);
    await markDeleted(tx, id, request.receivedAt);
    await audit.succeeded(tx, { subject: { kind: 'template', uuid }, detail: { template: id, scope } });
  });
}
