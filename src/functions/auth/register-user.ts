import { z } from 'zod';
import { auditEvents } from '../../contract/audit.ts';
import { Role } from '../../contract/role.ts';
import { TokenPair } from '../../domain/identity/sessions/token-pair.ts';
import { registerUser as register } from '../../domain/membership/users/register-user.ts';
import { Email, NewPassword } from '../../domain/identity/users/user.schemas.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { requiredUnless } from '../../lib/schema/required-unless.ts';

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
      .meta({ description: 'From the invitation mail; sets email, role and tenant.' }),
  }),
).meta({
  id: 'RegistrationRequest',
  description: '`email` and `role` are optional with an invitation only.',
});

export const registerUser = endpoint({
  name: 'registerUser',
  method: 'POST',
  route: 'api/auth/register',
  tag: 'Authentication',
  summary: 'Create an account and open its first session',
  description:
    'Creates an account and opens its first session, so that no login is needed. Roles outside `SELF_REGISTRATION_ROLES` ' +
    'need an invitation, or the bearer token of an admin, whose tenant the account joins; other callers name the tenant by ' +
    '`?tenant=` or `X-Tenant`. A physician’s profile starts in the language of the request. One network may open ' +
    '20 accounts an hour without an invitation or an admin, and have 100 registrations refused in 15 minutes. A mail asks to verify ' +
    'the address; an invitation that came by mail has proved it. Not idempotent: a second request finds the address taken.',
  auth: 'optional',
  audit: auditEvents.userCreated,
  reads: ['lang', 'tenant'],
  body: RegistrationRequest,
  reply: { status: 201, description: 'The account and its first session.', body: TokenPair },
  problems: ['invitation_invalid', 'role_not_allowed', 'email_taken', 'rate_limited', 'busy'],
  async handler({ context, actor, body }) {
    return await register(context, actor, body);
  },
});
