import type { Actor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import { createOpaqueToken } from '../../../lib/auth/opaque-token.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { loginRules, triedAddressesRule } from '../../platform/throttle/auth-limits.ts';
import { isKnownNetwork } from '../../platform/throttle/known-network.ts';
import { withAttempt } from '../../platform/throttle/throttle.ts';
import { findLoginAccount, recordLogin } from '../users/user.queries.ts';
import { readSessionRules } from './session-rules.ts';
import { startSession } from './start-session.ts';
import { issueTokenPair, type TokenPair } from './token-pair.ts';

interface Credentials {
  /** Normalised, as `users.email` is. */
  email: string;
  password: string;
}

/**
 * Opens a session. An unknown address costs the same statements and the same hash as a known one.
 * @throws {Problem} `invalid_credentials`, `account_inactive` after a correct password only, `rate_limited`, `busy`
 */
export async function logIn(context: Context, _actor: Actor, credentials: Credentials): Promise<TokenPair> {
  const { db, config, passwords, throttleKey, request } = context;
  const { receivedAt: now, ipPrefix } = request;
  const { email } = credentials;
  const refreshToken = createOpaqueToken('refresh');
  const open = () => openSession(context, credentials, refreshToken.hash);
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
  if (session === undefined) throw new Problem('busy', { retryAfter: 1 });
  return issueTokenPair(context, session, refreshToken.token, now);
}

/** @returns undefined when the hash was replaced meanwhile, by a renewal or a new password, or the account retired. */
async function openSession(context: Context, { email, password }: Credentials, refreshTokenHash: Buffer) {
  const { db, passwords, request, audit } = context;
  const { receivedAt: now, ipPrefix } = request;
  const account = await findLoginAccount(db, email);
  const about = { tenantId: account?.tenant_id, userId: account?.user_id };
  const { matches, outdated } = await passwords.verify(password, account?.password_hash, ipPrefix);
  if (account === undefined || !matches) throw new Problem('invalid_credentials', { about });
  // Only a caller who knows the password learns that the account is switched off.
  if (!account.is_active || !account.tenant_is_active) throw new Problem('account_inactive', { about });
  // A renewal can wait for the next login when there is no room for it now.
  const renewed = outdated ? await passwords.hash(password, ipPrefix).catch(() => undefined) : undefined;
  const {
    user_id: userId,
    user_uuid: userUuid,
    tenant_id: tenantId,
    role,
    password_hash: verifiedHash,
  } = account;
  const rules = await readSessionRules(context, tenantId);
  return await inTenant(db, tenantId, async (tx) => {
    if (!(await recordLogin(tx, { userId, verifiedHash, at: now }, renewed))) return undefined;
    const session = { ...rules, tenantId, userId, now, refreshTokenHash };
    const { sessionUuid } = await startSession(tx, session, request);
    await audit.succeeded(tx, { tenantId, userId, sessionUuid });
    return { sessionUuid, userUuid, role, tenantId };
  });
}
