import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';
import { isForSession, type LiveEvent, liveEvent } from './live-event.ts';
import { findStartOfStream } from './notice.queries.ts';

/** Milliseconds until a client asks again: one whose request was held, and one that found no place. */
const retryMs = { held: 500, full: 5000 };

export interface Followed {
  events: readonly LiveEvent[];
  retryMs: number;
}

/**
 * What has happened to the session and to the cases of its user.
 *
 * @param after the newest event that the client has: the request then waits for later ones, for SSE_HOLD_MS at most.
 *   Without it the reply is a greeting at once, whose id is that of the newest notice. So it is after a wait in vain where that
 *   id is a lower one: the database was restored from a backup, or the notice is gone; later events would not reach the client.
 * @throws {Problem} `stream_limit`
 */
export async function followSession(
  context: Context,
  actor: AccountActor,
  after: number | undefined,
): Promise<Followed> {
  if (after === undefined) return { events: [await greeting(context, actor)], retryMs: retryMs.held };
  const { id: userId, tenantId, sessionUuid: session } = actor;
  const waited = await context.streams.wait({
    tenantId,
    userId,
    session,
    after,
    isFor: (notice) => isForSession(notice, session),
  });
  switch (waited.outcome) {
    case 'notices':
      return { events: waited.notices.map(liveEvent), retryMs: retryMs.held };
    case 'ended': {
      const hello = after > 0 ? await greeting(context, actor) : undefined;
      const isAhead = hello !== undefined && hello.id < after;
      return { events: isAhead ? [hello] : [], retryMs: retryMs.held };
    }
    case 'full':
      return { events: [], retryMs: retryMs.full };
    case 'too_many':
      throw new Problem('stream_limit', { retryAfter: Math.max(1, Math.ceil(waited.retryAfterMs / 1000)) });
  }
}

async function greeting(context: Context, actor: AccountActor): Promise<LiveEvent> {
  const { id: userId, tenantId, sessionUuid } = actor;
  const { unique_session: isUniqueInTenant } = await readParameters(context, tenantId, 'auth/rules');
  const { newest, isUnique } = await inTenant(context.db, tenantId, (tx) =>
    findStartOfStream(tx, { tenantId, userId }),
  );
  const data = {
    session_id: sessionUuid,
    unique: isUniqueInTenant || isUnique,
    server_time: context.request.receivedAt.toISOString(),
  };
  return { id: newest, name: 'hello', data };
}
