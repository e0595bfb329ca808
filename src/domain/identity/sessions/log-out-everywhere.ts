import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { endSessions } from './session.queries.ts';

/** Ends all sessions of the caller, the current one included. */
export async function logOutEverywhere({ db, clock, audit }: Context, actor: AccountActor): Promise<void> {
  await inTenant(db, actor.tenantId, async (tx) => {
    const sessions = await endSessions(tx, actor.id, 'all', 'logout_all', clock.now());
    await audit.succeeded(tx, { detail: { reason: 'logout_all', sessions } });
  });
}
