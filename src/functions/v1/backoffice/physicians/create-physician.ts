import { z } from 'zod';
import { Timestamp } from '../../../../contract/timestamp.ts';
import { createPhysician } from '../../../../domain/membership/physicians/create-physician.ts';
import { NewPhysician, PhysicianDetails } from '../../../../domain/identity/physicians/physician.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

const CreatedPhysician = z
  .object({
    physician: PhysicianDetails,
    invitation: z
      .object({
        uuid: z.uuid().meta({ description: 'Identifies the invitation.' }),
        expires_at: Timestamp.meta({ description: 'When it expires: seven days from now.' }),
        invitation_token: z.string().optional().meta({
          description: 'For the admin to hand over; only where no mail server is configured.',
        }),
      })
      .nullable()
      .meta({ id: 'PhysicianInvitation', description: 'Null where none was sent.' }),
  })
  .meta({ id: 'CreatedPhysician', description: 'The profile, and the invitation to activate its account.' });

export const v1BackofficeCreatePhysician = endpoint({
  name: 'v1BackofficeCreatePhysician',
  method: 'POST',
  route: 'api/v1/backoffice/physicians',
  tag: 'Office',
  summary: 'Create the account and profile of a physician',
  description:
    'The account is inactive and has no password until its owner registers with the invitation, which is sent in ' +
    '`language_preference`. With `invite: false` none is sent; the address can be invited later. With an ' +
    '`Idempotency-Key`, a retry within 24 hours gets the first reply, marked `Idempotency-Replayed: true`.',
  auth: 'admin-level',
  audit: { category: 'admin', success: 'physician_created', refusal: 'physician_created' },
  reads: ['idempotency-key'],
  sends: ['Idempotency-Replayed'],
  body: NewPhysician,
  reply: { status: 201, description: 'The physician is prepared.', body: CreatedPhysician },
  problems: ['email_taken', 'employee_id_taken', 'group_not_found', 'rate_limited'],
  async handler({ context, actor, body, replyHeaders }) {
    const { reply, replayed } = await createPhysician(context, actor, body);
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    return reply;
  },
});
