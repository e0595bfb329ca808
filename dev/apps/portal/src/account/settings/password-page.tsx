import { useRef, useState } from 'preact/hooks';
import { changePassword } from '../../gateway/account-calls.ts';
import { fieldText } from '../../i18n/field-text.ts';
import { texts } from '../../i18n/language.ts';
import { useOnce } from '../../query/use-once.ts';
import { session } from '../../session/session.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { accountTexts } from '../i18n/texts.ts';
import { AccountPage } from './account-page.tsx';
import { SavedNotice } from './saved-notice.tsx';

const empty = { current: '', next: '' };

/** A new password; every other device is signed out by it. */
export function PasswordPage() {
  const { account } = texts.value;
  const { password } = accountTexts.value;
  const form = useRef<HTMLFormElement>(null);
  const [entries, setEntries] = useState(empty);
  const [isSaved, setSaved] = useState(false);
  const { busy, failure, run, show } = useOnce();
  const now = session.value;

  async function save() {
    setSaved(false);
    const missing = [
      ...(entries.current === '' ? [['/current_password', 'required']] : []),
      ...(entries.next === '' ? [['/new_password', 'required']] : []),
    ];
    if (missing.length > 0)
      show({ code: 'validation_error', fields: Object.fromEntries(missing) as Record<string, string> });
    else
      await run(
        () => changePassword(entries.current, entries.next),
        () => {
          setEntries(empty);
          setSaved(true);
        },
      );
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  }

  const errorOf = (pointer: string) => {
    const code = failure?.fields[pointer];
    if (code !== undefined) return fieldText(code, false);
    const isWrong = pointer === '/current_password' && failure?.code === 'current_password_invalid';
    return isWrong ? texts.value.problems.current_password_invalid : undefined;
  };
  return (
    <AccountPage title={password.title} lead={password.lead}>
      {isSaved && <SavedNotice>{password.changed}</SavedNotice>}
      {failure !== undefined && <FailureNotice failure={failure} />}
      <form
        ref={form}
        noValidate
        aria-busy={busy}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {/* Password managers store the new password under it. */}
        <input
          type="text"
          name="username"
          autocomplete="username"
          value={now.state === 'signed-in' ? now.user.email : ''}
          readOnly
          hidden
        />
        <TextField
          label={password.current}
          kind="current-password"
          value={entries.current}
          onInput={(current) => setEntries({ ...entries, current })}
          error={errorOf('/current_password')}
        />
        <TextField
          label={account.newPassword}
          kind="new-password"
          value={entries.next}
          onInput={(next) => setEntries({ ...entries, next })}
          hint={account.passwordHint}
          error={errorOf('/new_password')}
        />
        <button type="submit" aria-busy={busy}>
          {account.savePassword}
        </button>
      </form>
    </AccountPage>
  );
}
