import { texts } from '../i18n/language.ts';
import { session, signIn } from '../session/session.ts';
import { EmergencyNotice } from '../ui/emergency-notice.tsx';
import { InfoIcon } from '../ui/icons.tsx';
import { Link } from '../ui/link.tsx';
import { AccountForm } from './account-form.tsx';

export function SignInPage() {
  const { account, home } = texts.value;
  const now = session.value;
  const lost = now.state === 'signed-out' && now.lost;
  // The page before, whose place this one takes, may have asked the patient to call.
  const mayBePatient = lost && (now.role ?? 'patient') === 'patient';
  return (
    <AccountForm
      title={account.signInTitle}
      lead={account.signInLead}
      fields={['email', 'current-password']}
      label={account.signIn}
      onSubmit={({ email, password }) => signIn(email, password)}
      notice={
        lost && (
          <>
            {mayBePatient && <EmergencyNotice text={home.emergency} />}
            <div class="notice" role="status">
              <InfoIcon />
              <p>{account.sessionEnded}</p>
            </div>
          </>
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
