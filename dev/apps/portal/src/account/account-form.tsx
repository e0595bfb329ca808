import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type Failure, unexpected } from '../gateway/failure.ts';
import { fieldText } from '../i18n/field-text.ts';
import { texts } from '../i18n/language.ts';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useCountdown } from '../ui/use-countdown.ts';

interface AccountFormProps {
  title: string;
  lead: string;
  fields: readonly ('email' | 'current-password' | 'new-password')[];
  label: string;
  /** Resolves to undefined on success. */
  onSubmit: (entries: { email: string; password: string }) => Promise<Failure | undefined>;
  /** Above the fields. */
  notice?: ComponentChildren;
  /** Below the button. */
  children?: ComponentChildren;
}

/** The form for signing in, registering and changing passwords. */
export function AccountForm({ title, lead, fields, label, onSubmit, notice, children }: AccountFormProps) {
  const { account } = texts.value;
  const form = useRef<HTMLFormElement>(null);
  const [entries, setEntries] = useState({ email: '', password: '' });
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const wait = useCountdown(failure?.retryAfter ?? 0, failure);

  async function submit() {
    const names = fields.map((kind) => (kind === 'email' ? 'email' : 'password'));
    const missing = names.filter((name) => entries[name] === '').map((name) => [`/${name}`, 'required']);
    const local = { code: 'validation_error', fields: Object.fromEntries(missing) } as const;
    setBusy(true);
    // Rejects when the browser cannot store the tokens.
    const refused = missing.length > 0 ? local : await onSubmit(entries).catch(() => unexpected);
    setBusy(false);
    setFailure(refused);
    if (refused !== undefined) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
    }
  }

  const errorOf = (...pointers: string[]) => {
    const code = pointers.map((pointer) => failure?.fields[pointer]).find(Boolean);
    return code === undefined ? undefined : fieldText(code, pointers[0] === '/email');
  };

  return (
    <form
      class="card narrow"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      noValidate
      aria-busy={busy}
    >
      <PageTitle about={title}>{title}</PageTitle>
      <p class="lead">{lead}</p>
      {notice}
      {failure !== undefined && <FailureNotice failure={failure} />}
      {fields.includes('email') && (
        <TextField
          label={account.email}
          kind="email"
          value={entries.email}
          onInput={(email) => {
            setEntries({ ...entries, email });
            // The gateway throttles each account separately.
            if (wait > 0) setFailure(undefined);
          }}
          error={errorOf('/email')}
        />
      )}
      {fields.includes('current-password') && (
        <TextField
          label={account.password}
          kind="current-password"
          value={entries.password}
          onInput={(password) => setEntries({ ...entries, password })}
          error={errorOf('/password')}
        />
      )}
      {fields.includes('new-password') && (
        <TextField
          label={fields.includes('email') ? account.password : account.newPassword}
          kind="new-password"
          value={entries.password}
          onInput={(password) => setEntries({ ...entries, password })}
          hint={account.passwordHint}
          error={errorOf('/password', '/new_password')}
        />
      )}
      <button type="submit" disabled={busy || wait > 0} aria-busy={busy}>
        {label}
      </button>
      {children}
    </form>
  );
}
