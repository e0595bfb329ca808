import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Role } from '../../../contract/role.ts';
import type { AppContext } from '../../../lib/app/context.ts';
import { type QuotaGroup, type QuotaState, quotasOfUser } from '../../platform/throttle/quotas.ts';
import { admitSession } from './session-admission.queries.ts';
import { findLiveSession } from './live-session.queries.ts';
import { endOf } from './session.queries.ts';

/** The quotas of a request, and who may make it: a refused request takes nothing. */
export interface QuotaOfRequest {
  group: QuotaGroup;
  /** Of the body. */
  bytes: number;
  roles: readonly Role[];
  verifiedOnly: boolean;
}

/**
 * The account behind an access token, as the database knows it now: role and tenant of the token are ignored. In the
 * same round trip the request is taken from its quotas.
 *
 * @returns `quotas` is empty without `quota`, and where role or address do not permit the request.
 * @throws {Problem} `token_invalid`, with a `reason` where another login has replaced the session, or `token_expired`
 */
export async function authenticateBearer(
  {
    db,
    memory,
    accessTokens,
    config,
    throttleKey,
  }: Pick<AppContext, 'db' | 'memory' | 'accessTokens' | 'config' | 'throttleKey'>,
  token: string,
  { receivedAt: now, ipPrefix }: { receivedAt: Date; ipPrefix: string | undefined },
  quota?: QuotaOfRequest,
): Promise<{ actor: AccountActor; quotas: readonly QuotaState[] }> {
  const { sub, sid } = await accessTokens.verify(token, now);
  const { session, states } = await find();
  if (session === undefined) throw new Problem('token_invalid', { members: await endOf(db, sid) });
  if (session.account.user.uuid !== sub) throw new Problem('token_invalid');
  const { userId: id, account } = session;
  const { uuid, tenant_id: tenantId, role } = account.user;
  const actor = { kind: 'account', id, uuid, tenantId, role, sessionUuid: sid, ipPrefix, account } as const;
  return { actor, quotas: states };

  async function find() {
    if (quota === undefined)
      return { session: await findLiveSession({ db, memory }, { sessionUuid: sid, now }), states: [] };
    const { group, bytes, roles, verifiedOnly } = quota;
    const quotas = quotasOfUser(config, throttleKey, { group, userUuid: sub, bytes });
    const admission = { sessionUuid: sid, now, quotas, userUuid: sub, roles, verifiedOnly };
    return (await admitSession({ db, memory }, admission)) ?? { session: undefined, states: [] };
  }
}
