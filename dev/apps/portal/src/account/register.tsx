import { texts } from '../i18n/language.ts';
import { go } from '../session/route.ts';
import { register } from '../session/session.ts';
import { Link } from '../ui/link.tsx';
import { AccountForm } from './account-form.tsx';

export function RegisterPage() {
  const { account } = texts.value;
  return (
    <AccountForm
      title={account.registerTitle}
      lead={account.registerLead}
      fields={['email', 'new-password']}
      label={account.register}
      onSubmit={async ({ email, password }) => {
        const failure = await register(email, password);
        if (failure === undefined) go('/');
        return failure;
      }}
    >
      <p class="after">
        {account.haveAccount} <Link to="/">{account.signIn}</Link>
      </p>
    </AccountForm>
  );
}
