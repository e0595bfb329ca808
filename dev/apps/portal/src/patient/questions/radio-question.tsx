import type { EntryProps } from './entry-props.ts';
import { OptionList } from './option-list.tsx';

export function RadioQuestion({ question, entry, onEntry, describedBy, isInvalid }: EntryProps) {
  return (
    <fieldset
      role="radiogroup"
      aria-labelledby="question"
      aria-describedby={describedBy}
      aria-invalid={isInvalid ? 'true' : undefined}
    >
      <OptionList question={question} kind="radio" isChosen={(value) => value === entry} onChoose={onEntry} />
    </fieldset>
  );
}
