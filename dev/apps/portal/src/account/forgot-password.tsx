import { useState } from 'preact/hooks';
import { requestReset } from '../gateway/gateway.ts';
import { texts } from '../i18n/language.ts';
import { CheckIcon } from '../ui/icons.tsx';
import { Link } from '../ui/link.tsx';
import { AccountForm } from './account-form.tsx';

export function ForgotPasswordPage() {
  const { account } = texts.value;
  const [sent, setSent] = useState(false);
  return (
    <AccountForm
      title={account.forgotTitle}
      lead={account.forgotLead}
      fields={['email']}
      label={account.sendLink}
      onSubmit={async ({ email }) => {
        const outcome = await requestReset(email);
        setSent(outcome.ok);
        return outcome.ok ? undefined : outcome.failure;
      }}
      notice={
        sent && (
          <div class="notice success" role="status">
            <CheckIcon />
            <p>{account.linkSent}</p>
          </div>
        )
      }
    >
      <p class="after">
        <Link to="/">{account.signIn}</Link>
      </p>
    </AccountForm>
  );
}
