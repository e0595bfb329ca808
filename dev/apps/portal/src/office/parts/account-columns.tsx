import type { OfficeUser } from 'dermagate-client';
import { staffTexts } from '../../staff/i18n/texts.ts';
import type { Column } from '../../staff/staff-table.tsx';
import { Link } from '../../ui/link.tsx';
import { officeTexts } from '../i18n/texts.ts';

/** The address of an account, which leads to its page, and its role. */
export function accountColumns(): Column<Pick<OfficeUser, 'uuid' | 'email' | 'role'>>[] {
  const { accounts } = officeTexts.value;
  return [
    {
      key: 'email',
      label: accounts.email,
      cell: ({ uuid, email }) => (
        <Link to={`/users/${uuid}`}>
          <bdi>{email}</bdi>
        </Link>
      ),
    },
    { key: 'role', label: accounts.role, cell: ({ role }) => staffTexts.value.roles[role] },
  ];
}
