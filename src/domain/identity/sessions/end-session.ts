import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { isSessionOf } from './open-session.queries.ts';
import { endSessions } from './session.queries.ts';

/**
 * Ends one session of the caller.
 * @throws {Problem} `not_found` for one that is not open or not the caller's.
 */
export async function endSession(
  { db, clock, audit }: Context,
  actor: AccountActor,
  { id: uuid }: { id: string },
): Promise<void> {
  const subject = { kind: 'session', uuid };
  await inTenant(db, actor.tenantId, async (tx) => {
    const ended = await endSessions(tx, actor.id, { only: uuid }, 'revoked_by_user', clock.now());
    if (ended === 0) {
      const isOwn = await isSessionOf(tx, uuid, actor.id);
      const detail = 'You have no open session with this id.';
      throw new Problem('not_found', { detail, ...(!isOwn && { conceals: subject }) });
    }
    await audit.succeeded(tx, { subject, detail: { reason: 'revoked_by_user' } });
  });
}
