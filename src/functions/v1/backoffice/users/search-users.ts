import { OfficeUser, UserSearch } from '../../../../domain/identity/users/office-user.schemas.ts';
import { searchUsers } from '../../../../domain/identity/users/search-users.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { pageOf } from '../../../../lib/paging/page.ts';

export const v1BackofficeSearchUsers = endpoint({
  name: 'v1BackofficeSearchUsers',
  method: 'POST',
  route: 'api/v1/backoffice/users/search',
  tag: 'Office',
  summary: 'List and search the accounts of the tenant by address',
  description: 'A POST, because platforms log URLs and those must not contain addresses.',
  auth: 'admin-level',
  audit: { category: 'access', success: 'user_searched', refusal: 'user_searched' },
  body: UserSearch,
  reply: {
    status: 200,
    description: 'At most `limit` accounts.',
    body: pageOf(OfficeUser, { id: 'OfficeUserPage', description: 'A page of accounts.' }),
  },
  problems: ['cursor_invalid'],
  async handler({ body, context, actor }) {
    return await searchUsers(context, actor, body);
  },
});
