import { useState } from 'preact/hooks';
import { resetPassword } from '../gateway/gateway.ts';
import { texts } from '../i18n/language.ts';
import { takeLinkToken } from '../session/route.ts';
import { Link } from '../ui/link.tsx';
import { AccountForm } from './account-form.tsx';
import { LinkPage } from '../ui/link-page.tsx';

/** Target of the link in the mail: `/reset-password#token=…`. */
export function ResetPasswordPage() {
  const { account } = texts.value;
  const [token] = useState(takeLinkToken);
  const [saved, setSaved] = useState(false);
  if (token === undefined) return <LinkPage title={account.resetTitle} text={account.linkIncomplete} />;
  if (saved) return <LinkPage title={account.passwordSaved} />;
  return (
    <AccountForm
      title={account.resetTitle}
      lead={account.resetLead}
      fields={['new-password']}
      label={account.savePassword}
      onSubmit={async ({ password }) => {
        const outcome = await resetPassword(token, password);
        setSaved(outcome.ok);
        return outcome.ok ? undefined : outcome.failure;
      }}
    >
      <p class="after">
        <Link to="/forgot-password">{account.forgotTitle}</Link>
      </p>
    </AccountForm>
  );
}
