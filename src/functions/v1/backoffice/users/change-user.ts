import { z } from 'zod';
import { changeUser } from '../../../../domain/membership/users/change-user.ts';
import { ChangedUser, UserChange } from '../../../../domain/identity/users/office-user.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { expectedVersion, versionTag } from '../../../../lib/http/record-version.ts';

export const v1BackofficeChangeUser = endpoint({
  name: 'v1BackofficeChangeUser',
  method: 'PATCH',
  route: 'api/v1/backoffice/users/{uuid}',
  tag: 'Office',
  summary: 'Activate or deactivate an account, or change its role',
  description:
    'Takes effect immediately: the sessions of the account end. If a physician is deactivated or gets another role, ' +
    'leased, reserved and held cases return to the queue. Deactivation withdraws unused invitations to the address, ' +
    'also where the account is inactive because its owner has not registered yet; after a change of role they give ' +
    'the new one. Invitations that an admin has sent are withdrawn with the role or the deactivation. An account that becomes a physician gets a physician ' +
    'profile; one that becomes a patient leaves all groups. Admins cannot change the role or state of their own ' +
    'account, and a tenant retains at least one admin, also under concurrent requests.',
  auth: 'admin-level',
  audit: { category: 'admin', success: 'user_changed', refusal: 'user_changed' },
  reads: ['if-match'],
  sends: ['ETag'],
  params: z.object({ uuid: z.uuid().toLowerCase().meta({ description: 'An account of the tenant.' }) }),
  missing: 'user_not_found',
  body: UserChange,
  reply: { status: 200, description: 'The account as it is now.', body: ChangedUser },
  problems: ['user_not_found', 'last_admin', 'own_account'],
  async handler({ params: { uuid }, body: { version, ...change }, context, actor, request, replyHeaders }) {
    const expected = expectedVersion(request.ifMatch, version);
    const user = await changeUser(context, actor, { ...change, uuid, version: expected });
    replyHeaders['etag'] = versionTag(user.version);
    return user;
  },
});
