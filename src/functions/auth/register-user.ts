import { z } from 'zod';
import { TokenPair } from '../../domain/identity/sessions/token-pair.ts';
import { registrationRules } from '../../domain/identity/throttle/auth-limits.ts';
import { withAttempt } from '../../domain/identity/throttle/throttle.ts';
import { admitRegistration } from '../../domain/identity/users/admit-registration.ts';
import { findContextWords } from '../../domain/identity/users/context-words.ts';
import { enrolUser } from '../../domain/identity/users/enrol-user.ts';
import { auditEvents } from '../../contract/audit.ts';
import { concerning } from '../../contract/problem.ts';
import { Role } from '../../contract/role.ts';
import { Email, NewPassword } from '../../domain/identity/users/user.schemas.ts';
import { refuseCommonPassword } from '../../lib/auth/common-passwords.ts';
import { issueTokens } from '../../lib/auth/issue-tokens.ts';
import { createOpaqueToken, hashOpaqueToken } from '../../lib/auth/opaque-token.ts';
import { inTenant } from '../../lib/db/tenant.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { requiredUnless } from '../../lib/openapi/required-unless.ts';

const RegistrationRequest = requiredUnless(
  'invitation_token',
  ['email', 'role'],
  z.strictObject({
    email: Email.optional(),
    password: NewPassword,
    role: Role.optional(),
    invitation_token: z
      .string()
      .optional()
      .meta({ description: 'From the mail that invited this person; brings email, role and tenant.' }),
  }),
).meta({
  id: 'RegistrationRequest',
  description: '`email` and `role` may be left out with an invitation only.',
});

export const registerUser = endpoint({
  name: 'registerUser',
  method: 'POST',
  route: 'api/auth/register',
  tag: 'Authentication',
  summary: 'Create an account and open its first session',
  description:
    'Makes an account and opens its first session, so that no login follows. Roles outside `SELF_REGISTRATION_ROLES` ' +
    'need an invitation, or the bearer token of an admin, whose tenant the account joins; other callers name the tenant by ' +
    '`?tenant=` or `X-Tenant`. A physician’s profile starts in the language of the request. One network may open ' +
    '20 accounts an hour by itself and have 100 registrations refused in 15 minutes. A mail asks to verify ' +
    'the address; an invitation that came by mail has proved it. Not idempotent: the second time the address is taken.',
  auth: 'optional',
  audit: auditEvents.userCreated,
  reads: ['lang', 'tenant'],
  body: RegistrationRequest,
  reply: { status: 201, description: 'The account and its first session.', body: TokenPair },
  problems: ['invitation_invalid', 'role_not_allowed', 'email_taken', 'rate_limited', 'busy'],
  async handler({ body, actor: caller, context }) {
    const { db, config, passwords, request, audit } = context;
    const creator = caller.kind === 'account' ? caller : undefined;
    const { email, role, password, invitation_token: invitation } = body;
    const invitationHash =
      invitation === undefined ? undefined : (hashOpaqueToken('invitation', invitation) ?? null);
    const { language, ipPrefix, receivedAt: now, tenantSlug: slug } = request;
    const { fieldCrypto, throttleKey, accessTokens, outbox, log } = context;
    const refusals = registrationRules(config, throttleKey, ipPrefix, false);
    const policy = { creator, slug, openRoles: config.SELF_REGISTRATION_ROLES, refusals, now };
    const admitted = await admitRegistration(db, { email, role, invitationHash }, policy);
    const { tenantId, creator: actor, isOpen } = admitted;
    return await concerning({ tenantId }, async () => {
      await refuseCommonPassword(password, '/password', await findContextWords(db, tenantId, admitted.email));
      const refreshToken = createOpaqueToken('refresh');
      const sessionLimit = config.LIMIT_SESSIONS_PER_USER;
      const opening = { now, refreshTokenHash: refreshToken.hash, sessionLimit, request, audit, actor };
      const links = { fieldCrypto, byMail: config.MAIL_URL !== undefined, production: config.production };
      const rules = registrationRules(config, throttleKey, ipPrefix, isOpen);
      const failures = ['email_taken', 'invitation_invalid'] as const;
      const { session, verificationToken } = await passwords.inTurn(ipPrefix, () =>
        withAttempt(db, { rules, now, failures }, async () => {
          const passwordHash = await passwords.hash(password, ipPrefix);
          const enrolment = { ...admitted, passwordHash, language };
          return await inTenant(db, tenantId, (tx) => enrolUser(tx, enrolment, opening, links));
        }),
      );
      outbox.kick();
      if (verificationToken !== undefined) {
        log.info('email_verification_token', { token: verificationToken, user: session.userUuid });
      }
      return await issueTokens(accessTokens, session, refreshToken.token, now);
    });
  },
});
