import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { listOpenInvitations } from './invitation.queries.ts';

/** The open invitations of the admin's tenant, the newest first; at most `listedInvitations`. */
export async function listInvitations({ db, clock }: Context, actor: AccountActor) {
  return await inTenant(db, actor.tenantId, (tx) => listOpenInvitations(tx, clock.now()));
}
