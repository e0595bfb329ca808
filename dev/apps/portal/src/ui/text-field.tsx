import type { TargetedInputEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { texts } from '../i18n/language.ts';

interface TextFieldProps {
  label: string;
  kind: 'email' | 'current-password' | 'new-password';
  value: string;
  onInput: (value: string) => void;
  hint?: string;
  error?: string | undefined;
}

/** A labelled input with its hint and its error, both linked to it for screen readers. */
export function TextField({ label, kind, value, onInput, hint, error }: TextFieldProps) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const isPassword = kind !== 'email';
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const attributes = {
    id,
    name: isPassword ? 'password' : 'email',
    // Addresses and passwords run from left to right in every language.
    dir: 'ltr',
    autocapitalize: 'none',
    spellcheck: false,
    required: true,
    value,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => onInput(currentTarget.value),
    'aria-invalid': error === undefined ? undefined : 'true',
    'aria-describedby': described || undefined,
  } as const;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {!isPassword && <input {...attributes} type="email" autocomplete="username" />}
      {isPassword && !shown && <input {...attributes} type="password" autocomplete={kind} />}
      {isPassword && shown && <input {...attributes} type="text" autocomplete={kind} />}
      {isPassword && (
        <label class="inline">
          <input type="checkbox" checked={shown} onChange={() => setShown(!shown)} />
          {texts.value.account.showPassword}
        </label>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="small">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} class="field-error">
          {error}
        </p>
      )}
    </div>
  );
}
