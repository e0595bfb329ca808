import { z } from 'zod';
import { recordEvent } from '../../domain/events/record-event.ts';
import { startSession } from '../../domain/sessions/start-session.ts';
import { TokenPair } from '../../domain/sessions/token-pair.ts';
import { findLoginAccount, recordLogin } from '../../domain/users/user.queries.ts';
import { Email, PresentedPassword } from '../../domain/users/user.schemas.ts';
import { challenge } from '../../lib/auth/access-token.ts';
import { issueTokens } from '../../lib/auth/issue-tokens.ts';
import { createOpaqueToken } from '../../lib/auth/opaque-token.ts';
import { inTenant } from '../../lib/db/tenant.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Problem } from '../../lib/problem.ts';

export const logIn = endpoint({
  name: 'logIn',
  method: 'POST',
  route: 'api/auth/login',
  tag: 'Authentication',
  summary: 'Open a session with email and password',
  auth: 'public',
  audit: { category: 'auth', success: 'authn_login_success', refusal: 'authn_login_fail' },
  body: z.strictObject({ email: Email, password: PresentedPassword }).meta({ id: 'LoginRequest' }),
  reply: { status: 200, description: 'A new session.', body: TokenPair },
  problems: ['invalid_credentials', 'account_inactive', 'busy'],
  async handler({ body, db, passwords, accessTokens, request, trail }) {
    const account = await findLoginAccount(db, body.email);
    if (account !== undefined) Object.assign(trail, { tenantId: account.tenant_id, userId: account.user_id });
    const { matches, outdated } = await passwords.verify(body.password, account?.password_hash);
    if (account === undefined || !matches) throw new Problem('invalid_credentials', { headers: challenge });
    // Only a caller who knows the password learns that the account is switched off.
    if (!account.is_active || !account.tenant_is_active) throw new Problem('account_inactive');

    const renewedHash = outdated ? await passwords.hash(body.password) : undefined;
    const refreshToken = createOpaqueToken('refresh');
    const { user_id: userId, tenant_id: tenantId, user_uuid: userUuid, role } = account;
    const now = request.receivedAt;
    const sessionUuid = await inTenant(db, tenantId, async (tx) => {
      await recordLogin(tx, userId, now, renewedHash);
      const { ipPrefix, userAgent } = request;
      const session = { tenantId, userId, now, ipPrefix, userAgent, refreshTokenHash: refreshToken.hash };
      const { sessionUuid } = await startSession(tx, session);
      await recordEvent(tx, {
        category: 'auth',
        action: 'authn_login_success',
        outcome: 'success',
        tenantId,
        actorUserId: userId,
        sessionUuid,
        requestId: request.id,
        ipPrefix,
      });
      return sessionUuid;
    });
    return await issueTokens(
      accessTokens,
      { sessionUuid, userUuid, role, tenantId },
      refreshToken.token,
      now,
    );
  },
});
