import type { OfficeUserDetail, Role } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { changeUser, endSessions } from '../../gateway/office-calls.ts';
import { number } from '../../i18n/format.ts';
import { fill } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { ConfirmDialog } from '../../staff/confirm-dialog.tsx';
import { staffTexts } from '../../staff/i18n/texts.ts';
import { officeTexts } from '../i18n/texts.ts';

interface AccountActionsProps {
  account: OfficeUserDetail;
  /** What was done, in words, and the account as it is now where that is known. */
  onDone: (message: string, now?: OfficeUserDetail) => void;
  /** The account is no longer as it was read. */
  onStale: () => void;
}

type Asked = 'state' | 'role' | 'sessions';
const roles: readonly Role[] = ['patient', 'physician', 'admin'];

/** Buttons that each ask first, with what follows from it. */
export function AccountActions({ account, onDone, onStale }: AccountActionsProps) {
  const { accounts } = officeTexts.value;
  const [asked, setAsked] = useState<Asked>();
  const [role, setRole] = useState<Role>(account.role);
  const { busy, failure, run, show } = useOnce();
  const open = (what: Asked) => {
    show(undefined);
    setRole(account.role);
    setAsked(what);
  };
  const close = () => setAsked(undefined);
  const change = (what: { is_active: boolean } | { role: Role }) =>
    run(
      async () => {
        const outcome = await changeUser(account.uuid, { ...what, version: account.version });
        if (!outcome.ok && outcome.failure.reason === 'version_conflict') onStale();
        return outcome;
      },
      (now) => {
        close();
        const values = { sessions: number(now.sessions_ended), cases: number(now.cases_returned) };
        onDone(fill(accounts.changed, values), now);
      },
    );
  const end = () =>
    run(
      () => endSessions(account.uuid),
      ({ sessions_ended: ended }) => {
        close();
        onDone(fill(accounts.sessionsEnded, { sessions: number(ended) }));
      },
    );
  const isActive = account.is_active;
  const dialog = { busy, failure, onClose: close };
  return (
    <>
      <div class="stack">
        <button type="button" class="outline" onClick={() => open('role')}>
          {accounts.changeRole}
        </button>
        <button type="button" class="outline" onClick={() => open('sessions')}>
          {accounts.endSessions}
        </button>
        <button type="button" class={isActive ? 'danger' : undefined} onClick={() => open('state')}>
          {isActive ? accounts.deactivate : accounts.activate}
        </button>
      </div>
      {asked === 'state' && (
        <ConfirmDialog
          {...dialog}
          title={isActive ? accounts.deactivateTitle : accounts.activateTitle}
          action={isActive ? accounts.deactivate : accounts.activate}
          dangerous={isActive}
          onConfirm={() => void change({ is_active: !isActive })}
        >
          <p>
            <bdi>{account.email}</bdi>
          </p>
          <Consequences texts={isActive ? accounts.deactivateMeans : accounts.activateMeans} />
        </ConfirmDialog>
      )}
      {asked === 'sessions' && (
        <ConfirmDialog
          {...dialog}
          title={accounts.endSessionsTitle}
          action={accounts.endSessions}
          onConfirm={() => void end()}
        >
          <p>{fill(accounts.endSessionsMeans, { sessions: number(account.open_sessions) })}</p>
        </ConfirmDialog>
      )}
      {asked === 'role' && (
        <ConfirmDialog
          {...dialog}
          title={accounts.changeRole}
          action={accounts.changeRole}
          onConfirm={() => void change({ role })}
        >
          <label>
            {accounts.role}
            <select value={role} onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}>
              {roles.map((each) => (
                <option key={each} value={each}>
                  {staffTexts.value.roles[each]}
                </option>
              ))}
            </select>
          </label>
          <Consequences texts={accounts.roleMeans} />
        </ConfirmDialog>
      )}
    </>
  );
}

function Consequences({ texts }: { texts: Readonly<Record<string, string>> }) {
  return (
    <ul class="consequences">
      {Object.values(texts).map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
