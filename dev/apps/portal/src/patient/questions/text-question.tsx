import { number } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import type { EntryProps } from './entry-props.ts';

/** Texts of at least this many characters get a multi-line input, in which Enter starts a new line. */
const LONG = 200;

export function TextQuestion({ question, entry, onEntry, describedBy, isInvalid }: EntryProps) {
  const { max } = question;
  const value = typeof entry === 'string' ? entry : '';
  const attributes = {
    // Patients may write in any language, in either direction.
    dir: 'auto',
    value,
    'aria-labelledby': 'question',
    'aria-describedby': describedBy,
    // Pico marks what is not invalid as valid, before there is an answer.
    'aria-invalid': isInvalid ? 'true' : undefined,
  } as const;
  const isLong = max === undefined || max > LONG;
  return (
    <div class="field">
      {isLong ? (
        <textarea {...attributes} rows={5} onInput={({ currentTarget }) => onEntry(currentTarget.value)} />
      ) : (
        <input
          {...attributes}
          type="text"
          autocomplete="off"
          onInput={({ currentTarget }) => onEntry(currentTarget.value)}
        />
      )}
      {max !== undefined && isLong && (
        <p class="small">
          {fill(texts.value.intake.textNow, { count: number(value.length), max: number(max) })}
        </p>
      )}
    </div>
  );
}
