import { texts } from '../../i18n/language.ts';
import type { EntryProps } from './entry-props.ts';
import { OptionList } from './option-list.tsx';
import { toggleChoice } from './toggle-choice.ts';

export function CheckboxQuestion({ question, entry, onEntry, describedBy }: EntryProps) {
  const chosen = Array.isArray(entry) ? (entry as readonly string[]) : [];
  return (
    <fieldset aria-labelledby="question" aria-describedby={describedBy}>
      {question.help === undefined && <p class="small">{texts.value.intake.chooseAll}</p>}
      <OptionList
        question={question}
        kind="checkbox"
        isChosen={(value) => chosen.includes(String(value))}
        onChoose={(value) => onEntry(toggleChoice(chosen, String(value)))}
      />
    </fieldset>
  );
}
