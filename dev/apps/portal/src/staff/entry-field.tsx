import { Field } from './field.tsx';
import { plainLine } from './plain-line.ts';

interface EntryFieldProps {
  /** Unique on the page: the error summary leads there. */
  id: string;
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  value: string;
  /** Names and codes of the system are written from left to right in every language. */
  isCode?: boolean;
  inputMode?: 'text' | 'email' | 'numeric';
  maxLength?: number;
  onChange: (value: string) => void;
}

/** A labelled line of text. */
export function EntryField(props: EntryFieldProps) {
  const { id, label, hint, error, value, isCode = false, inputMode = 'text', maxLength, onChange } = props;
  return (
    <Field id={id} label={label} error={error} {...(hint !== undefined && { hint })}>
      {(attributes) => (
        <input
          {...attributes}
          type="text"
          inputMode={inputMode}
          dir={isCode ? 'ltr' : 'auto'}
          autocapitalize={isCode ? 'none' : undefined}
          autocomplete="off"
          maxLength={maxLength}
          value={value}
          onInput={({ currentTarget }) => onChange(plainLine(currentTarget.value))}
        />
      )}
    </Field>
  );
}
