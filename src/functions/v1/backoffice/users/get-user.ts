import { z } from 'zod';
import { OfficeUserDetail } from '../../../../domain/identity/users/office-user.schemas.ts';
import { readUser } from '../../../../domain/identity/users/read-user.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { versionTag } from '../../../../lib/http/record-version.ts';

export const v1BackofficeGetUser = endpoint({
  name: 'v1BackofficeGetUser',
  method: 'GET',
  route: 'api/v1/backoffice/users/{uuid}',
  tag: 'Office',
  summary: 'Get an account with its groups and sessions',
  auth: 'admin-level',
  audit: { category: 'access', success: 'user_read', refusal: 'user_read' },
  sends: ['ETag'],
  params: z.object({ uuid: z.uuid().toLowerCase().meta({ description: 'An account of the tenant.' }) }),
  missing: 'user_not_found',
  reply: { status: 200, description: 'The account.', body: OfficeUserDetail },
  problems: ['user_not_found'],
  async handler({ params, context, actor, replyHeaders }) {
    const user = await readUser(context, actor, params);
    replyHeaders['etag'] = versionTag(user.version);
    return user;
  },
});
