import { z } from 'zod';
import { changeUser } from '../../../../domain/identity/users/change-user.ts';
import { ChangedUser, UserChange } from '../../../../domain/identity/users/office-user.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { expectedVersion, versionTag } from '../../../../lib/http/record-version.ts';

export const v1BackofficeChangeUser = endpoint({
  name: 'v1BackofficeChangeUser',
  method: 'PATCH',
  route: 'api/v1/backoffice/users/{uuid}',
  tag: 'Office',
  summary: 'Deactivate or activate an account, or change its role',
  description:
    'Both count at once: the sessions of the account end, and what a physician has (leases, reservations, holds) goes back ' +
    'to the queue when the account is deactivated or gets another role. One that becomes a physician gets the profile of one; ' +
    'one that becomes a patient leaves all groups. An admin changes neither role nor state of the own account, and a tenant ' +
    'keeps at least one admin, whatever several of them do at once.',
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
