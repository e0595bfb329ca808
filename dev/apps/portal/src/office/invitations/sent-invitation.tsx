import { fill } from '../../i18n/texts.ts';
import { officeTexts } from '../i18n/texts.ts';

interface SentInvitationProps {
  invitation: { email: string; invitation_token?: string | undefined };
}

/** That an invitation is on its way, or its link to hand over where no mails are sent. */
export function SentInvitation({ invitation: { email, invitation_token: token } }: SentInvitationProps) {
  const { invitations } = officeTexts.value;
  if (token === undefined) return <p class="notice success">{fill(invitations.sent, { email })}</p>;
  const address = new URL(`/accept-invitation#token=${token}`, location.origin).href;
  return (
    <div class="notice success">
      <div>
        <p>{fill(invitations.handOver, { email })}</p>
        <label>
          {invitations.link}
          <input
            type="text"
            dir="ltr"
            readOnly
            value={address}
            onFocus={(event) => event.currentTarget.select()}
          />
        </label>
      </div>
    </div>
  );
}
