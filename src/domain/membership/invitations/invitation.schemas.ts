import { z } from 'zod';
import { Role } from '../../../contract/role.ts';
import { Timestamp } from '../../../contract/timestamp.ts';

export const Invitation = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the invitation.' }),
    email: z.string().meta({ description: 'The invited address, in the form that is stored.' }),
    role: Role,
    expires_at: Timestamp.meta({ description: 'When it expires: seven days from now.' }),
    invitation_token: z
      .string()
      .optional()
      .meta({ description: 'For the admin to hand over; only where no mail server is configured.' }),
  })
  .meta({ id: 'Invitation', description: 'An invitation that is not redeemed yet.' });

const OpenInvitation = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the invitation.' }),
    email: z.string().meta({ description: 'The invited address.' }),
    role: Role,
    invited_by: z.uuid().meta({ description: 'The admin who invited it.' }),
    created_at: Timestamp.meta({ description: 'When it was created.' }),
    expires_at: Timestamp.meta({ description: 'When it expires.' }),
  })
  .meta({ id: 'OpenInvitation', description: 'An invitation that can still be redeemed.' });

export const InvitationList = z
  .object({ invitations: z.array(OpenInvitation).meta({ description: 'Newest first.' }) })
  .meta({ id: 'InvitationList', description: 'Open invitations of a tenant.' });
