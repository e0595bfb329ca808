import type { ComponentChildren } from 'preact';

/** What links a control to its label, hint and error. */
export interface ControlAttributes {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
}

interface FieldProps {
  /** Unique on the page: the error summary leads there. */
  id: string;
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  children: (attributes: ControlAttributes) => ComponentChildren;
}

/** A labelled control with its hint and its error, both read with it by screen readers. */
export function Field({ id, label, hint, error, children }: FieldProps) {
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(
    Boolean,
  );
  return (
    <div class={error === undefined ? 'field' : 'field wrong'}>
      <label for={id}>{label}</label>
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
      {children({
        id,
        'aria-describedby': described.join(' ') || undefined,
        'aria-invalid': error === undefined ? undefined : 'true',
      })}
    </div>
  );
}

interface CheckFieldProps {
  id?: string;
  label: ComponentChildren;
  hint?: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** A box to tick, with what it means below it. */
export function CheckField({ id, label, hint, checked, disabled = false, onChange }: CheckFieldProps) {
  return (
    <label class="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </label>
  );
}
