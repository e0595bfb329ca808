import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { listOpenSessions } from './open-session.queries.ts';

/** The caller's open sessions, the one used last first; exactly one is `current`. */
export async function listSessions({ db, clock }: Context, actor: AccountActor) {
  const rows = await inTenant(db, actor.tenantId, (tx) =>
    listOpenSessions(tx, actor.id, actor.sessionUuid, clock.now()),
  );
  return rows.map(({ uuid, ...row }) => ({ id: uuid, ...row, current: uuid === actor.sessionUuid }));
}
