import { z } from 'zod';
import { openSession } from '../../domain/sessions/open-session.ts';
import { TokenPair } from '../../domain/sessions/token-pair.ts';
import { passwordRules } from '../../domain/throttle/auth-limits.ts';
import { releaseAttempt, requireAttempt } from '../../domain/throttle/throttle.ts';
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
  problems: ['invalid_credentials', 'account_inactive', 'rate_limited', 'busy'],
  async handler({ body, db, passwords, accessTokens, throttleKey, request, trail }) {
    const now = request.receivedAt;
    const attempt = passwordRules(throttleKey, body.email, request.ipPrefix);
    await requireAttempt(db, attempt, now);
    const account = await findLoginAccount(db, body.email);
    if (account !== undefined) Object.assign(trail, { tenantId: account.tenant_id, userId: account.user_id });
    const { matches, outdated } = await passwords
      .verify(body.password, account?.password_hash)
      .catch(async (error: unknown) => {
        await releaseAttempt(db, attempt); // not judged, so not a failure
        throw error;
      });
    if (account === undefined || !matches) throw new Problem('invalid_credentials', { headers: challenge });
    // Only a caller who knows the password learns that the account is switched off.
    if (!account.is_active || !account.tenant_is_active) {
      await releaseAttempt(db, attempt);
      throw new Problem('account_inactive');
    }

    const renewedHash = outdated ? await passwords.hash(body.password) : undefined;
    const refreshToken = createOpaqueToken('refresh');
    const { user_id: userId, tenant_id: tenantId, user_uuid: userUuid, role } = account;
    const sessionUuid = await inTenant(db, tenantId, async (tx) => {
      await releaseAttempt(tx, attempt);
      await recordLogin(tx, userId, now, renewedHash);
      const opening = { tenantId, userId, now, refreshTokenHash: refreshToken.hash, request };
      return await openSession(tx, opening, { action: 'authn_login_success' });
    });
    const session = { sessionUuid, userUuid, role, tenantId };
    return await issueTokens(accessTokens, session, refreshToken.token, now);
  },
});
