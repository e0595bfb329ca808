import type { OfficeUser, Role, User } from 'dermagate-client';
import { searchUsers } from '../../gateway/office-calls.ts';
import { useRead } from '../../query/use-read.ts';
import { FilterBar, FilterSelect, FilterText } from '../../staff/filter-fields.tsx';
import { ListContent } from '../../staff/list-content.tsx';
import { Moment } from '../../staff/moment.tsx';
import { staffTexts } from '../../staff/i18n/texts.ts';
import type { Column } from '../../staff/staff-table.tsx';
import { useSearch } from '../../staff/use-search.ts';
import { Link } from '../../ui/link.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { officeTexts } from '../i18n/texts.ts';
import { accountColumns } from '../parts/account-columns.tsx';
import { AccountState } from './account-state.tsx';

const roles: readonly Role[] = ['patient', 'physician', 'admin'];
const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

/** All accounts of the tenant: a row each, found by address, role and state. */
export function AccountsPage({ user }: { user: User }) {
  const { accounts } = officeTexts.value;
  const words = staffTexts.value;
  const { values, cursor, set, q, setText, onClear } = useSearch('accounts', user, ['role', 'state']);
  const filter = {
    ...(q !== '' && { q }),
    ...(isRole(values.role) && { role: values.role }),
    ...(values.state !== '' && { is_active: values.state === 'active' }),
  };
  const read = useRead(
    ['accounts', filter, cursor],
    (signal) => searchUsers({ ...filter, limit: 50, ...(cursor !== undefined && { cursor }) }, signal),
    { keepsPrevious: true },
  );
  return (
    <>
      <div class="staff-head">
        <PageTitle about="accounts">{accounts.title}</PageTitle>
        <Link to="/invitations" class="button-link">
          {accounts.invite}
        </Link>
      </div>
      <FilterBar label={accounts.filters} onClear={onClear}>
        <FilterText label={accounts.search} value={q} onChange={setText} />
        <FilterSelect
          label={accounts.role}
          value={values.role}
          options={roles.map((role) => [role, words.roles[role]])}
          onChange={(role) => set({ role })}
        />
        <FilterSelect
          label={accounts.state}
          value={values.state}
          options={[
            ['active', accounts.active],
            ['inactive', accounts.inactive],
          ]}
          onChange={(state) => set({ state })}
        />
      </FilterBar>
      <ListContent read={read} caption={accounts.title} columns={columns()} rowKey={({ uuid }) => uuid} />
    </>
  );
}

function columns(): Column<OfficeUser>[] {
  const { accounts } = officeTexts.value;
  return [
    ...accountColumns(),
    { key: 'state', label: accounts.state, cell: (account) => <AccountState account={account} /> },
    {
      key: 'physician',
      label: accounts.physician,
      cell: ({ physician }) =>
        physician && (
          <Link to={`/physicians/${physician.uuid}`}>
            <bdi>{physician.display_name}</bdi>
          </Link>
        ),
    },
    { key: 'login', label: accounts.lastLogin, cell: ({ last_login: at }) => <Moment at={at} /> },
    { key: 'created', label: accounts.created, cell: ({ created_at: at }) => <Moment at={at} /> },
  ];
}
