import type { OfficeUserDetail, User } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { readUser } from '../../gateway/office-calls.ts';
import { number } from '../../i18n/format.ts';
import { languageNames } from '../../i18n/texts.ts';
import { readAgain, setRead, useRead } from '../../query/use-read.ts';
import { Moment } from '../../staff/moment.tsx';
import { staffTexts } from '../../staff/i18n/texts.ts';
import { StaffFailure } from '../../staff/staff-failure.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { GroupLinks } from '../parts/group-links.tsx';
import { officeTexts } from '../i18n/texts.ts';
import { AccountActions } from './account-actions.tsx';
import { AccountState } from './account-state.tsx';

/** One account: what it is, and what an admin may do with it. */
export function AccountPage({ uuid, user }: { uuid: string; user: User }) {
  const { accounts } = officeTexts.value;
  const key = ['account', uuid];
  const { value: account, failure, again } = useRead(key, (signal) => readUser(uuid, signal));
  const [done, setDone] = useState<string>();
  const changed = (message: string, now?: OfficeUserDetail) => {
    if (now === undefined) readAgain(key);
    else setRead(key, now);
    readAgain(['accounts']);
    setDone(message);
  };
  return (
    <>
      <p class="trail">
        <Link to="/users">{accounts.title}</Link>
      </p>
      <div class="staff-head">
        <PageTitle about={uuid}>
          <bdi>{account?.email ?? accounts.account}</bdi>
        </PageTitle>
      </div>
      <div role="status">{done !== undefined && <p class="notice success">{done}</p>}</div>
      {failure !== undefined && <StaffFailure failure={failure} onRetry={again} />}
      {account === undefined && failure === undefined && <Loading />}
      {account !== undefined && (
        <div class="halves">
          <section class="panel" aria-labelledby="facts">
            <h2 id="facts">{accounts.facts}</h2>
            <AccountFacts account={account} />
          </section>
          <section class="panel" aria-labelledby="actions">
            <h2 id="actions">{accounts.actions}</h2>
            {account.uuid === user.uuid ? (
              <p>{accounts.ownAccount}</p>
            ) : (
              <AccountActions account={account} onDone={changed} onStale={() => readAgain(key)} />
            )}
          </section>
        </div>
      )}
    </>
  );
}

function AccountFacts({ account }: { account: OfficeUserDetail }) {
  const { accounts, trail } = officeTexts.value;
  const words = staffTexts.value;
  const { physician, groups, language } = account;
  return (
    <dl class="facts">
      <dt>{accounts.role}</dt>
      <dd>{words.roles[account.role]}</dd>
      <dt>{accounts.state}</dt>
      <dd>
        <AccountState account={account} />
      </dd>
      <dt>{accounts.language}</dt>
      <dd>{language === null ? words.none : languageNames[language]}</dd>
      <dt>{accounts.physician}</dt>
      <dd>
        {physician === null ? (
          words.none
        ) : (
          <Link to={`/physicians/${physician.uuid}`}>
            <bdi>{physician.display_name}</bdi>
          </Link>
        )}
      </dd>
      <dt>{accounts.groups}</dt>
      <dd>
        <GroupLinks groups={groups} />
      </dd>
      <dt>{accounts.openSessions}</dt>
      <dd>{number(account.open_sessions)}</dd>
      <dt>{accounts.lastLogin}</dt>
      <dd>
        <Moment at={account.last_login} />
      </dd>
      <dt>{accounts.created}</dt>
      <dd>
        <Moment at={account.created_at} />
      </dd>
      <dt>{trail.title}</dt>
      <dd>
        <ul class="inline-list">
          <li>
            <Link to={`/audit-trail?whose=user_uuid&id=${account.uuid}`}>{trail.about}</Link>
          </li>
          <li>
            <Link to={`/audit-trail?whose=actor_uuid&id=${account.uuid}`}>{trail.by}</Link>
          </li>
        </ul>
      </dd>
    </dl>
  );
}
