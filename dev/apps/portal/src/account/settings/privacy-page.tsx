import { readLegalText } from '../../gateway/account-calls.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { useRead } from '../../query/use-read.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { accountTexts } from '../i18n/texts.ts';
import { AccountPage } from './account-page.tsx';

/** The texts that count now, each with its version. */
export function PrivacyPage() {
  const { privacy } = accountTexts.value;
  return (
    <AccountPage title={privacy.title} lead={privacy.lead}>
      <LegalText name="privacy" title={privacy.privacy} />
      <LegalText name="consent" title={privacy.consent} />
    </AccountPage>
  );
}

function LegalText({ name, title }: { name: 'consent' | 'privacy'; title: string }) {
  const { value, failure, again } = useRead(['legal', name], (signal) => readLegalText(name, signal));
  return (
    <section class="part" aria-labelledby={name}>
      <h2 id={name}>{title}</h2>
      {value === undefined && failure === undefined && <Loading />}
      {value === undefined && failure !== undefined && <FailureNotice failure={failure} onRetry={again} />}
      {value !== undefined && (
        <>
          <p class="small">{fill(texts.value.cases.consentVersion, { version: value.version })}</p>
          <div dir="auto" class="paragraphs">
            {value.text
              .trim()
              .split(/\n{2,}/)
              .map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
          </div>
        </>
      )}
    </section>
  );
}
