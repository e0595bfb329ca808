import type { User } from 'dermagate-client';
import { useId, useState } from 'preact/hooks';
import { writeToSupport } from '../../gateway/account-calls.ts';
import { withoutControls } from '../../gateway/without-controls.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { query } from '../../session/route.ts';
import { unsentOf } from '../../session/unsent.ts';
import { EmergencyNotice } from '../../ui/emergency-notice.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { accountTexts } from '../i18n/texts.ts';
import { AccountPage } from './account-page.tsx';
import { SavedNotice } from './saved-notice.tsx';

const MAX = 2000;

/** A message to the clinic’s support, `?case=` names the case that it is about. */
export function ContactPage({ user }: { user: User }) {
  const { contact } = accountTexts.value;
  const id = useId();
  const [isSent, setSent] = useState(false);
  const { busy, failure, run, show } = useOnce();
  const caseUuid = query.value.get('case') ?? undefined;
  const unsent = unsentOf(`support ${caseUuid ?? ''}`, '');
  const message = unsent.value;
  const isMissing = failure?.code === 'validation_error';

  function send() {
    setSent(false);
    const text = withoutControls(message).trim();
    if (text === '') return show({ code: 'validation_error', fields: { '/message': 'required' } });
    void run(
      () => writeToSupport(text, caseUuid),
      () => {
        if (unsent.peek() === message) unsent.value = '';
        setSent(true);
      },
    );
  }

  return (
    <AccountPage title={contact.title} lead={fill(contact.lead, { email: user.email })}>
      <EmergencyNotice text={contact.urgent} />
      <form
        noValidate
        aria-busy={busy}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label for={id}>{contact.message}</label>
        <textarea
          id={id}
          name="message"
          dir="auto"
          rows={5}
          maxLength={MAX}
          value={message}
          aria-invalid={isMissing ? 'true' : undefined}
          aria-describedby={isMissing ? `${id}-error` : undefined}
          onInput={({ currentTarget }) => (unsent.value = currentTarget.value)}
        />
        {isMissing && (
          <p id={`${id}-error`} class="field-error" role="alert">
            {texts.value.fields.required}
          </p>
        )}
        {failure !== undefined && !isMissing && <FailureNotice failure={failure} />}
        {isSent && <SavedNotice>{contact.sent}</SavedNotice>}
        <button type="submit" aria-busy={busy}>
          {contact.send}
        </button>
      </form>
    </AccountPage>
  );
}
