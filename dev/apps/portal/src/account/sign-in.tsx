import { texts } from '../i18n/language.ts';
import { session, signIn } from '../session/session.ts';
import { InfoIcon } from '../ui/icons.tsx';
import { Link } from '../ui/link.tsx';
import { AccountForm } from './account-form.tsx';

export function SignInPage() {
  const { account } = texts.value;
  const lost = session.value.state === 'signed-out' && session.value.lost;
  return (
    <AccountForm
      title={account.signInTitle}
      lead={account.signInLead}
      fields={['email', 'current-password']}
      label={account.signIn}
      onSubmit={({ email, password }) => signIn(email, password)}
      notice={
        lost && (
          <div class="notice" role="status">
            <InfoIcon />
            <p>{account.sessionEnded}</p>
          </div>
        )
      }
    >
      <p class="after">
        <Link to="/forgot-password">{account.forgot}</Link>
      </p>
      <p class="after">
        {account.noAccount} <Link to="/register">{account.registerTitle}</Link>
      </p>
    </AccountForm>
  );
}
