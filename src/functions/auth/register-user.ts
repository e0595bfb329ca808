import { z } from 'zod';
import { recordEvent } from '../../domain/events/record-event.ts';
import { startSession } from '../../domain/sessions/start-session.ts';
import { TokenPair } from '../../domain/sessions/token-pair.ts';
import { findRegistrationTenant } from '../../domain/tenants/find-registration-tenant.ts';
import { registerUser as createAccount } from '../../domain/users/register-user.ts';
import { Email, NewPassword, Role } from '../../domain/users/user.schemas.ts';
import { issueTokens } from '../../lib/auth/issue-tokens.ts';
import { createOpaqueToken } from '../../lib/auth/opaque-token.ts';
import { inTenant } from '../../lib/db/tenant.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const registerUser = endpoint({
  name: 'registerUser',
  method: 'POST',
  route: 'api/auth/register',
  tag: 'Authentication',
  summary: 'Create an account and open its first session',
  description:
    'Roles outside SELF_REGISTRATION_ROLES need the bearer token of an admin, whose tenant the account joins. ' +
    'Other callers name the tenant by `?tenant=` or `X-Tenant`.',
  auth: 'optional',
  reads: ['lang', 'tenant'],
  audit: { category: 'auth', success: 'user_created', refusal: 'user_created' },
  body: z
    .strictObject({ email: Email, password: NewPassword, role: Role })
    .meta({ id: 'RegistrationRequest' }),
  reply: { status: 201, description: 'The account and its first session.', body: TokenPair },
  problems: ['role_not_allowed', 'tenant_not_found', 'email_taken', 'busy'],
  async handler({ body, user: creator, db, config, passwords, accessTokens, request, trail }) {
    const openRoles = config.SELF_REGISTRATION_ROLES;
    const tenantId = await findRegistrationTenant(
      db,
      { creator, slug: request.tenantSlug, openRoles },
      body.role,
    );
    trail.tenantId = tenantId;
    const passwordHash = await passwords.hash(body.password);
    const refreshToken = createOpaqueToken('refresh');
    const { email, role } = body;
    const { ipPrefix, userAgent, language, receivedAt: now } = request;
    const { account, sessionUuid } = await inTenant(db, tenantId, async (tx) => {
      const account = await createAccount(tx, { tenantId, email, passwordHash, role, language });
      const session = { tenantId, userId: account.id, now, ipPrefix, userAgent };
      const { sessionUuid } = await startSession(tx, { ...session, refreshTokenHash: refreshToken.hash });
      await recordEvent(tx, {
        category: 'auth',
        action: 'user_created',
        outcome: 'success',
        tenantId,
        actorUserId: creator?.id ?? account.id,
        sessionUuid: creator?.sessionUuid ?? sessionUuid,
        subject: { kind: 'user', uuid: account.uuid },
        requestId: request.id,
        ipPrefix,
        detail: { role },
      });
      return { account, sessionUuid };
    });
    const session = { sessionUuid, userUuid: account.uuid, role, tenantId };
    return await issueTokens(accessTokens, session, refreshToken.token, now);
  },
});
