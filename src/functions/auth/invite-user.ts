import { z } from 'zod';
import { Role } from '../../contract/role.ts';
import { Invitation } from '../../domain/membership/invitations/invitation.schemas.ts';
import { inviteUser as invite } from '../../domain/membership/invitations/invite-user.ts';
import { Email } from '../../domain/identity/users/user.schemas.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const inviteUser = endpoint({
  name: 'inviteUser',
  method: 'POST',
  route: 'api/auth/invitations',
  tag: 'Authentication',
  summary: 'Invite a person into my tenant',
  description:
    'The invitation fixes email, role and tenant, works once, for seven days; a newer one for the same address replaces ' +
    'it. Its token goes by mail in the language of the request; where no mail server is configured, the reply contains ' +
    'it. The reply is the same for an address that has an account already: its owner learns of the invitation by ' +
    'mail, and an account that never verified the address loses it when the invitation is redeemed.',
  auth: 'admin-level',
  audit: { category: 'auth', success: 'user_invited', refusal: 'user_invited' },
  reads: ['lang'],
  body: z.strictObject({ email: Email, role: Role }).meta({
    id: 'InvitationRequest',
    description: 'The address to invite and its role.',
  }),
  reply: { status: 201, description: 'The invitation; its token goes by mail.', body: Invitation },
  problems: [],
  async handler({ context, actor, body }) {
    return await invite(context, actor, body);
  },
});
