import type { Actor } from '../../../contract/actor.ts';
import { hashOpaqueToken } from '../../../lib/auth/opaque-token.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { endSessions, findRefreshToken } from './session.queries.ts';

/** Ends the session of a refresh token, used or not; an unknown token and an ended session change nothing. */
export async function logOut(
  { db, memory, clock, audit }: Context,
  _actor: Actor,
  { refresh_token: presented }: { refresh_token: string },
): Promise<void> {
  const hash = hashOpaqueToken('refresh', presented);
  const token = hash && (await findRefreshToken({ db, memory }, { hash, now: clock.now() }));
  if (token === undefined) return;
  const { tenant_id: tenantId, user_id: userId, session_uuid: sessionUuid } = token;
  await inTenant(db, tenantId, async (tx) => {
    const ended = await endSessions(tx, userId, { only: sessionUuid }, 'logout', clock.now());
    if (ended === 0) return;
    await audit.succeeded(tx, { tenantId, userId, sessionUuid, detail: { reason: 'logout' } });
  });
}
