import { useState } from 'preact/hooks';
import { resendVerification, verifyEmail } from '../gateway/gateway.ts';
import { texts } from '../i18n/language.ts';
import { takeLinkToken } from '../session/route.ts';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { CheckIcon } from '../ui/icons.tsx';
import { Link } from '../ui/link.tsx';
import { AccountForm } from './account-form.tsx';
import { LinkPage } from '../ui/link-page.tsx';

/**
 * Target of the link in the mail: `/verify-email#token=…`. Only the button verifies the address, because mail scanners
 * open links.
 */
export function VerifyEmailPage() {
  const { account } = texts.value;
  const [token] = useState(takeLinkToken);
  const [outcome, setOutcome] = useState<'verified' | 'link-invalid'>();
  if (outcome === 'verified') return <LinkPage title={account.emailVerified} />;
  if (token === undefined || outcome === 'link-invalid')
    return <NewLinkForm refused={outcome !== undefined} />;
  return (
    <AccountForm
      title={account.verifyTitle}
      lead={account.verifyLead}
      fields={[]}
      label={account.verify}
      onSubmit={async () => {
        const reply = await verifyEmail(token);
        if (reply.ok) setOutcome('verified');
        else if (reply.failure.code === 'verification_invalid') setOutcome('link-invalid');
        return reply.ok ? undefined : reply.failure;
      }}
    />
  );
}

/** For users whose link was refused, and users without one. */
function NewLinkForm({ refused }: { refused: boolean }) {
  const { account } = texts.value;
  const [sent, setSent] = useState(false);
  return (
    <AccountForm
      title={account.newLinkTitle}
      lead={account.newLinkLead}
      fields={['email']}
      label={account.sendLink}
      onSubmit={async ({ email }) => {
        const outcome = await resendVerification(email);
        setSent(outcome.ok);
        return outcome.ok ? undefined : outcome.failure;
      }}
      notice={
        sent ? (
          <div class="notice success" role="status">
            <CheckIcon />
            <p>{account.verificationSent}</p>
          </div>
        ) : (
          refused && <FailureNotice failure={{ code: 'verification_invalid', fields: {} }} />
        )
      }
    >
      <p class="after">
        <Link to="/">{account.signIn}</Link>
      </p>
    </AccountForm>
  );
}
