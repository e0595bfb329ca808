import type { Invitation, OpenInvitation } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { listInvitations, resendInvitation, revokeInvitation } from '../../gateway/office-calls.ts';
import { fill } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { readAgain, setRead, useRead } from '../../query/use-read.ts';
import { ConfirmDialog } from '../../staff/confirm-dialog.tsx';
import { staffTexts } from '../../staff/i18n/texts.ts';
import { ListContent } from '../../staff/list-content.tsx';
import { Moment } from '../../staff/moment.tsx';
import { StaffFailure } from '../../staff/staff-failure.tsx';
import type { Column } from '../../staff/staff-table.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { officeTexts } from '../i18n/texts.ts';
import { InviteForm } from './invite-form.tsx';
import { SentInvitation } from './sent-invitation.tsx';

const KEY = ['invitations'];

/** Open invitations: send, send again, withdraw. */
export function InvitationsPage() {
  const { invitations } = officeTexts.value;
  const read = useRead(KEY, listInvitations);
  const [sent, setSent] = useState<Invitation>();
  const [message, setMessage] = useState<string>();
  const [revoked, setRevoked] = useState<OpenInvitation>();
  const { busy, failure, run, show } = useOnce();

  const wasSent = (invitation: Invitation) => {
    setSent(invitation);
    setMessage(undefined);
    readAgain(KEY);
  };
  const resend = ({ uuid: replaced }: OpenInvitation) =>
    run(
      () => resendInvitation(replaced),
      (invitation) => {
        // Until the list is read again: what the row offers must not name the invitation that is gone.
        const { uuid, expires_at } = invitation;
        const rows = read.value?.invitations.map((row) =>
          row.uuid === replaced ? { ...row, uuid, expires_at } : row,
        );
        if (rows !== undefined) setRead(KEY, { invitations: rows });
        wasSent(invitation);
      },
    );
  const revoke = (invitation: OpenInvitation) =>
    run(
      () => revokeInvitation(invitation.uuid),
      () => {
        setRevoked(undefined);
        setSent(undefined);
        setMessage(fill(invitations.revoked, { email: invitation.email }));
        readAgain(KEY);
      },
    );
  const askToRevoke = (invitation: OpenInvitation) => {
    show(undefined);
    setRevoked(invitation);
  };
  const page = read.value && { items: read.value.invitations, next_cursor: null };
  return (
    <>
      <div class="staff-head">
        <PageTitle about="invitations">{invitations.title}</PageTitle>
      </div>
      <section class="panel" aria-labelledby="invite">
        <h2 id="invite">{invitations.invite}</h2>
        <InviteForm onSent={wasSent} />
      </section>
      <div role="status">
        {sent !== undefined && <SentInvitation invitation={sent} />}
        {message !== undefined && <p class="notice success">{message}</p>}
      </div>
      {failure !== undefined && revoked === undefined && <StaffFailure failure={failure} />}
      <h2>{invitations.open}</h2>
      <ListContent
        read={{ ...read, value: page }}
        caption={invitations.open}
        columns={columns({ busy, onResend: (each) => void resend(each), onRevoke: askToRevoke })}
        rowKey={({ uuid }) => uuid}
        empty={invitations.none}
      />
      {revoked !== undefined && (
        <ConfirmDialog
          title={invitations.revokeTitle}
          action={invitations.revoke}
          dangerous
          busy={busy}
          failure={failure}
          onConfirm={() => void revoke(revoked)}
          onClose={() => setRevoked(undefined)}
        >
          <p>{fill(invitations.revokeMeans, { email: revoked.email })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface RowActions {
  busy: boolean;
  onResend: (invitation: OpenInvitation) => void;
  onRevoke: (invitation: OpenInvitation) => void;
}

function columns({ busy, onResend, onRevoke }: RowActions): Column<OpenInvitation>[] {
  const { invitations, accounts } = officeTexts.value;
  return [
    { key: 'email', label: accounts.email, cell: ({ email }) => <bdi>{email}</bdi> },
    { key: 'role', label: accounts.role, cell: ({ role }) => staffTexts.value.roles[role] },
    { key: 'sent', label: invitations.sentAt, cell: ({ created_at: at }) => <Moment at={at} /> },
    { key: 'expires', label: invitations.expires, cell: ({ expires_at: at }) => <Moment at={at} /> },
    {
      key: 'actions',
      label: accounts.actions,
      cell: (invitation) => (
        <div class="row-actions">
          <button type="button" class="outline" disabled={busy} onClick={() => onResend(invitation)}>
            {invitations.resend}
            <span class="visually-hidden"> {invitation.email}</span>
          </button>
          <button
            type="button"
            class="secondary outline"
            disabled={busy}
            onClick={() => onRevoke(invitation)}
          >
            {invitations.revoke}
            <span class="visually-hidden"> {invitation.email}</span>
          </button>
        </div>
      ),
    },
  ];
}
