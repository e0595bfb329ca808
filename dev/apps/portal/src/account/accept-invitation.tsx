import { useState } from 'preact/hooks';
import { texts } from '../i18n/language.ts';
import { go, takeLinkToken } from '../session/route.ts';
import { redeem } from '../session/session.ts';
import { AccountForm } from './account-form.tsx';
import { LinkPage } from '../ui/link-page.tsx';

/** Target of the link in the mail: `/accept-invitation#token=…`. */
export function AcceptInvitationPage() {
  const { account } = texts.value;
  const [token] = useState(takeLinkToken);
  if (token === undefined) return <LinkPage title={account.inviteTitle} text={account.linkIncomplete} />;
  return (
    <AccountForm
      title={account.inviteTitle}
      lead={account.inviteLead}
      fields={['new-password']}
      label={account.accept}
      onSubmit={async ({ password }) => {
        const failure = await redeem(token, password);
        if (failure === undefined) go('/');
        return failure;
      }}
    />
  );
}
