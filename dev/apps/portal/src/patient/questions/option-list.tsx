import type { NextQuestion } from 'dermagate-client';

interface OptionListProps {
  question: NextQuestion;
  kind: 'radio' | 'checkbox';
  isChosen: (value: string | boolean) => boolean;
  onChoose: (value: string | boolean) => void;
}

/** The options as large rows; the whole row is the target. */
export function OptionList({ question, kind, isChosen, onChoose }: OptionListProps) {
  const { options, optionValues = options, questionId } = question;
  return (
    <ul class="options">
      {options.map((label, index) => {
        const value = optionValues[index] ?? label;
        const attributes = {
          name: questionId,
          value: String(value),
          checked: isChosen(value),
          onChange: () => onChoose(value),
        };
        return (
          <li key={String(value)}>
            <label class="option">
              {kind === 'radio' ? (
                <input {...attributes} type="radio" />
              ) : (
                <input {...attributes} type="checkbox" />
              )}
              <span>{label}</span>
            </label>
          </li>
        );
      })}
    </ul>
  );
}
