import { z } from 'zod';
import {
  isOwnInvitation,
  revokeInvitation as revoke,
} from '../../domain/identity/invitations/invitation.queries.ts';
import { inTenant } from '../../lib/db/tenant.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Problem } from '../../contract/problem.ts';

export const revokeInvitation = endpoint({
  name: 'revokeInvitation',
  method: 'DELETE',
  route: 'api/auth/invitations/{uuid}',
  tag: 'Authentication',
  summary: 'Withdraw an open invitation',
  description: 'Its token works no more. Once it is withdrawn, used or expired, the same request is 404.',
  auth: 'admin-level',
  audit: { category: 'auth', success: 'invitation_revoked', refusal: 'invitation_revoked' },
  params: z.object({
    uuid: z.uuid().meta({ description: 'Of an open invitation, from `GET /api/auth/invitations`.' }),
  }),
  reply: { status: 204, description: 'The invitation is withdrawn.' },
  problems: ['not_found'],
  async handler({ params: { uuid }, actor, context: { db, clock, audit } }) {
    await inTenant(db, actor.tenantId, async (tx) => {
      const subject = { kind: 'invitation', uuid };
      if (!(await revoke(tx, uuid, clock.now()))) {
        const detail = 'Your tenant has no open invitation with this id.';
        const isOwn = await isOwnInvitation(tx, uuid);
        throw new Problem('not_found', { detail, ...(!isOwn && { conceals: subject }) });
      }
      await audit.succeeded(tx, { subject });
    });
  },
});
