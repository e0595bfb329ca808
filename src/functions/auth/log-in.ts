import { z } from 'zod';
import { openSession } from '../../domain/identity/sessions/open-session.ts';
import { TokenPair } from '../../domain/identity/sessions/token-pair.ts';
import { loginRules, triedAddressesRule } from '../../domain/identity/throttle/auth-limits.ts';
import { isKnownNetwork } from '../../domain/identity/throttle/known-network.ts';
import { withAttempt } from '../../domain/identity/throttle/throttle.ts';
import { findLoginAccount, recordLogin } from '../../domain/identity/users/user.queries.ts';
import { Email, PresentedPassword } from '../../domain/identity/users/user.schemas.ts';
import { challenge } from '../../lib/auth/access-token.ts';
import { issueTokens } from '../../lib/auth/issue-tokens.ts';
import { createOpaqueToken } from '../../lib/auth/opaque-token.ts';
import { inTenant } from '../../lib/db/tenant.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Problem } from '../../contract/problem.ts';

export const logIn = endpoint({
  name: 'logIn',
  method: 'POST',
  route: 'api/auth/login',
  tag: 'Authentication',
  summary: 'Open a session with email and password',
  description:
    'Opens a new session beside those that are open already. The answer takes as long for an address that is not ' +
    'registered as for a wrong password. In 15 minutes, one address may fail 10 times from one network and one network 100 ' +
    'times; one address may fail 100 times a day from everywhere, and one network may try 200 addresses a day in vain. A ' +
    'reset unlocks the address. In a network where a session of the account was used in the last 30 days, only the first ' +
    'of these limits holds.',
  auth: 'public',
  audit: { category: 'auth', success: 'authn_login_success', refusal: 'authn_login_fail' },
  body: z
    .strictObject({ email: Email, password: PresentedPassword })
    .meta({ id: 'LoginRequest', description: 'Credentials.' }),
  reply: { status: 200, description: 'A new session.', body: TokenPair },
  problems: ['invalid_credentials', 'account_inactive', 'rate_limited', 'busy'],
  async handler({ body, context }) {
    const { db, config, passwords, accessTokens, throttleKey, request, audit } = context;
    const { receivedAt: now, ipPrefix } = request;
    const { email } = body;
    const refreshToken = createOpaqueToken('refresh');

    /** @returns undefined when the hash was replaced meanwhile, by a renewal or a new password, or the account retired. */
    const open = async () => {
      const account = await findLoginAccount(db, email);
      const about = { tenantId: account?.tenant_id, userId: account?.user_id };
      const { matches, outdated } = await passwords.verify(body.password, account?.password_hash, ipPrefix);
      if (account === undefined || !matches) {
        throw new Problem('invalid_credentials', { headers: challenge, about });
      }
      // Only a caller who knows the password learns that the account is switched off.
      if (!account.is_active || !account.tenant_is_active) throw new Problem('account_inactive', { about });
      // A renewal can wait for the next login when there is no room for it now.
      const renewed = outdated
        ? await passwords.hash(body.password, ipPrefix).catch(() => undefined)
        : undefined;
      const { user_id: userId, tenant_id: tenantId, password_hash: verifiedHash } = account;
      return await inTenant(db, tenantId, async (tx) => {
        if (!(await recordLogin(tx, { userId, verifiedHash, at: now }, renewed))) return undefined;
        const sessionLimit = config.LIMIT_SESSIONS_PER_USER;
        const opening = {
          tenantId,
          userId,
          now,
          refreshTokenHash: refreshToken.hash,
          sessionLimit,
          request,
          audit,
        };
        const sessionUuid = await openSession(tx, opening);
        return { sessionUuid, userUuid: account.user_uuid, role: account.role, tenantId };
      });
    };
    const session = await passwords.inTurn(ipPrefix, async () => {
      const attempt = { email, ipPrefix, isKnown: await isKnownNetwork(db, email, ipPrefix, now) };
      const rules = loginRules(config, throttleKey, attempt);
      const distinct = triedAddressesRule(config, throttleKey, attempt);
      const failures = ['invalid_credentials'] as const;
      return await withAttempt(
        db,
        { rules, distinct, now, failures },
        async () => (await open()) ?? (await open()),
      );
    });
    if (session === undefined) throw new Problem('busy', { headers: { 'retry-after': '1' } });
    return await issueTokens(accessTokens, session, refreshToken.token, now);
  },
});
