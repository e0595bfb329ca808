import type { User } from 'dermagate-client';
import { AccountArea, isAccountPath } from '../account/account-area.tsx';
import { texts } from '../i18n/language.ts';
import { matchPath, path } from '../session/route.ts';
import '../styles/staff.css';
import '../styles/office.css';
import { Frame } from '../ui/frame.tsx';
import { LinkPage } from '../ui/link-page.tsx';
import { AccountPage } from './accounts/account.tsx';
import { AccountsPage } from './accounts/accounts.tsx';
import { AuditTrailPage } from './audit-trail/audit-trail.tsx';
import { DashboardPage } from './dashboard/dashboard.tsx';
import { GroupPage } from './groups/group.tsx';
import { GroupsPage } from './groups/groups.tsx';
import { NewGroupPage } from './groups/new-group.tsx';
import { officeTexts } from './i18n/texts.ts';
import { InvitationsPage } from './invitations/invitations.tsx';
import { ParameterSetPage } from './parameters/parameter-set.tsx';
import { ParametersPage } from './parameters/parameters.tsx';
import { NewPhysicianPage } from './physicians/new-physician.tsx';
import { PhysicianPage } from './physicians/physician.tsx';
import { PhysiciansPage } from './physicians/physicians.tsx';

/** Everything that an admin sees once signed in. */
export default function Office({ user }: { user: User }) {
  const office = officeTexts.value;
  const links = [
    { to: '/', label: office.dashboard.title },
    { to: '/search', label: office.cases },
    { to: '/users', label: office.accounts.title },
    { to: '/invitations', label: office.invitations.title },
    { to: '/physicians', label: office.physicians.title },
    { to: '/groups', label: office.groups.title },
    { to: '/parameters', label: office.parameters.title },
    { to: '/audit-trail', label: office.trail.title },
  ];
  return (
    <Frame wide links={links}>
      {isAccountPath(path.value) ? (
        <AccountArea user={user} />
      ) : (
        <div class="staff">
          <Page user={user} />
        </div>
      )}
    </Frame>
  );
}

function Page({ user }: { user: User }) {
  switch (path.value) {
    case '/':
      return <DashboardPage />;
    case '/users':
      return <AccountsPage user={user} />;
    case '/invitations':
      return <InvitationsPage />;
    case '/physicians':
      return <PhysiciansPage user={user} />;
    case '/physicians/new':
      return <NewPhysicianPage />;
    case '/groups':
      return <GroupsPage />;
    case '/groups/new':
      return <NewGroupPage />;
    case '/parameters':
      return <ParametersPage />;
    case '/audit-trail':
      return <AuditTrailPage />;
    default:
      return <ThingPage user={user} />;
  }
}

/** The page of one account, physician, group or set of parameters. */
function ThingPage({ user }: { user: User }) {
  const account = matchPath<'uuid'>('/users/:uuid');
  if (account !== undefined) return <AccountPage key={account.uuid} uuid={account.uuid} user={user} />;
  const physician = matchPath<'uuid'>('/physicians/:uuid');
  if (physician !== undefined) return <PhysicianPage key={physician.uuid} uuid={physician.uuid} />;
  const group = matchPath<'uuid'>('/groups/:uuid');
  if (group !== undefined) return <GroupPage key={group.uuid} uuid={group.uuid} />;
  const set = matchPath<'branch' | 'sub'>('/parameters/:branch/:sub');
  if (set !== undefined) return <ParameterSetPage branch={set.branch} subBranch={set.sub} />;
  return <LinkPage title={texts.value.common.pageNotFound} />;
}
