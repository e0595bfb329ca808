import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { AppContext } from '../../../lib/context.ts';
import { findLiveSession } from './find-live-session.ts';

/**
 * The account behind an access token, as the database knows it now: what the token says of role and tenant is ignored.
 * @throws {Problem} `token_invalid` or `token_expired`
 */
export async function authenticateBearer(
  { db, accessTokens }: Pick<AppContext, 'db' | 'accessTokens'>,
  token: string,
  { receivedAt: now, ipPrefix }: { receivedAt: Date; ipPrefix: string | undefined },
): Promise<AccountActor> {
  const { sub, sid } = await accessTokens.verify(token, now);
  const session = await findLiveSession(db, sid, now);
  if (session === undefined || session.user_uuid !== sub) {
    throw new Problem('token_invalid');
  }
  return {
    kind: 'account',
    uuid: session.user_uuid,
    id: session.user_id,
    tenantId: session.tenant_id,
    role: session.role,
    sessionUuid: session.session_uuid,
    ipPrefix,
  };
}
