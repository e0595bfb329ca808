import { type AccessTokens, accessTokenSeconds } from './access-token.ts';

/** The token reply of the contract (RFC 6749 §5.1) for a session that was just opened or renewed. */
export async function issueTokens(
  accessTokens: AccessTokens,
  session: { sessionUuid: string; userUuid: string; role: string; tenantId: number },
  refreshToken: string,
  now: Date,
) {
  const claims = {
    sub: session.userUuid,
    sid: session.sessionUuid,
    role: session.role,
    tenantId: session.tenantId,
  };
  return {
    access_token: await accessTokens.sign(claims, now),
    refresh_token: refreshToken,
    token_type: 'bearer' as const,
    expires_in: accessTokenSeconds,
  };
}
