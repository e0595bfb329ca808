import { number } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import type { EntryProps } from './entry-props.ts';

/** Scales with at most this many values are shown as buttons to tap. */
const LARGEST_SCALE = 11;

export function NumberQuestion(props: EntryProps) {
  const { min, max, step } = props.question;
  const isScale = step === 1 && min !== undefined && max !== undefined && max - min < LARGEST_SCALE;
  return isScale ? <Scale {...props} first={min} last={max} /> : <NumberField {...props} />;
}

function Scale({
  question,
  entry,
  onEntry,
  describedBy,
  first,
  last,
}: EntryProps & { first: number; last: number }) {
  const values = Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  return (
    <fieldset role="radiogroup" aria-labelledby="question" aria-describedby={describedBy}>
      <div class="scale">
        {values.map((value) => (
          <label key={value}>
            <input
              type="radio"
              name={question.questionId}
              value={value}
              checked={entry === String(value)}
              onChange={() => onEntry(String(value))}
            />
            <span>{number(value)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Not `type="number"`: that drops unreadable input and changes with the mouse wheel. */
function NumberField({ question, entry, onEntry, describedBy, isInvalid }: EntryProps) {
  const { min, max, step, unit } = question;
  return (
    <div class="field number">
      <div class="with-unit">
        <input
          type="text"
          inputMode={step === 1 ? 'numeric' : 'decimal'}
          dir="ltr"
          autocomplete="off"
          aria-labelledby="question"
          aria-describedby={`range ${describedBy}`}
          aria-invalid={isInvalid ? 'true' : undefined}
          value={typeof entry === 'string' ? entry : ''}
          onInput={({ currentTarget }) => onEntry(currentTarget.value)}
        />
        {unit !== undefined && <span dir="ltr">{unit}</span>}
      </div>
      <p id="range" class="small">
        {min !== undefined &&
          max !== undefined &&
          fill(texts.value.intake.range, { min: number(min), max: number(max) })}
      </p>
    </div>
  );
}
