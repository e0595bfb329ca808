import type { Db } from '../../../lib/db/connect.ts';
import { Problem } from '../../../contract/problem.ts';
import { findLiveSession } from './find-live-session.ts';

/**
 * The user behind an access token, as the database knows them now: what the token says of role and tenant is not
 * believed.
 *
 * @param verify checks the token itself and names user and session.
 * @throws {Problem} `token_invalid` or `token_expired`, with the challenge of RFC 6750.
 */
export async function authenticateBearer(
  db: Db,
  verify: (token: string) => Promise<{ sub: string; sid: string }>,
  token: string,
  challenge: Readonly<Record<string, string>>,
  now: Date,
) {
  const { sub, sid } = await verify(token);
  const session = await findLiveSession(db, sid, now);
  if (session === undefined || session.user_uuid !== sub) {
    throw new Problem('token_invalid', { headers: challenge });
  }
  return {
    uuid: session.user_uuid,
    id: session.user_id,
    tenantId: session.tenant_id,
    role: session.role,
    sessionUuid: session.session_uuid,
  };
}
