import type { OfficeUserDetail, Role } from 'dermagate-client';
import { useRef, useState } from 'preact/hooks';
import { changeUser, endSessions } from '../../gateway/office-calls.ts';
import { number } from '../../i18n/format.ts';
import { fill } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { ConfirmDialog } from '../../staff/confirm-dialog.tsx';
import { staffTexts } from '../../staff/i18n/texts.ts';
import { useTargetState } from '../../staff/use-target-state.ts';
import { officeTexts } from '../i18n/texts.ts';

interface AccountActionsProps {
  account: OfficeUserDetail;
  /** What was done, in words, and the account as it is now where that is known. */
  onDone: (message: string, now?: OfficeUserDetail) => void;
  /** The account is no longer as it was read. */
  onStale: () => void;
}

type Asked = 'role' | 'sessions';
const roles: readonly Role[] = ['patient', 'physician', 'admin'];

/** Buttons that each ask first, with what follows from it. */
export function AccountActions({ account, onDone, onStale }: AccountActionsProps) {
  const { accounts } = officeTexts.value;
  const [asked, setAsked] = useState<Asked>();
  const [role, setRole] = useState<Role>(account.role);
  // Of the account that the dialog is about: what is read while it is open is not confirmed by it.
  const version = useRef<number | undefined>(undefined);
  const { busy, failure, run, show } = useOnce();
  const begin = () => {
    show(undefined);
    version.current = account.version;
  };
  const open = (what: Asked) => {
    begin();
    setRole(account.role);
    setAsked(what);
  };
  const { target, ...activity } = useTargetState({
    state: account.is_active,
    busy,
    onReached: (isActive) => onDone(isActive ? accounts.alreadyActive : accounts.alreadyInactive, account),
  });
  const openActivity = () => {
    begin();
    activity.open();
  };
  const close = () => {
    setAsked(undefined);
    activity.close();
  };
  const change = (what: { is_active: boolean } | { role: Role }) =>
    run(
      async () => {
        const named = version.current ?? account.version;
        const outcome = await changeUser(account.uuid, { ...what, version: named });
        if (!outcome.ok && outcome.failure.reason === 'version_conflict') {
          // The admin sees the current state beside the failure; the next attempt is about that one.
          version.current = undefined;
          onStale();
        }
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
        <button type="button" class={isActive ? 'danger' : undefined} onClick={openActivity}>
          {isActive ? accounts.deactivate : accounts.activate}
        </button>
      </div>
      {target !== undefined && (
        <ConfirmDialog
          {...dialog}
          title={target ? accounts.activateTitle : accounts.deactivateTitle}
          action={target ? accounts.activate : accounts.deactivate}
          dangerous={!target}
          onConfirm={() => void change({ is_active: target })}
        >
          <p>
            <bdi>{account.email}</bdi>
          </p>
          <Consequences texts={target ? accounts.activateMeans : accounts.deactivateMeans} />
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
