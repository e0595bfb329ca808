import type { Answer, NextQuestion, QuestionType } from 'dermagate-client';
import type { ComponentType } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { number } from '../i18n/format.ts';
import { texts } from '../i18n/language.ts';
import { fill } from '../i18n/texts.ts';
import type { Step, Unsent } from '../intake/intake.ts';
import { BoolQuestion } from './bool-question.tsx';
import { checkAnswer, type Checked, type Entry } from './check-answer.ts';
import { CheckboxQuestion } from './checkbox-question.tsx';
import type { EntryProps } from './entry-props.ts';
import { NumberQuestion } from './number-question.tsx';
import { QuestionActions, QuestionFrame } from './question-frame.tsx';
import { RadioQuestion } from './radio-question.tsx';
import { TextQuestion } from './text-question.tsx';

const inputs: Readonly<Record<Exclude<QuestionType, 'camera'>, ComponentType<EntryProps>>> = {
  bool: BoolQuestion,
  radio: RadioQuestion,
  checkbox: CheckboxQuestion,
  number: NumberQuestion,
  text: TextQuestion,
};

interface AnswerFormProps {
  question: NextQuestion & { questionType: keyof typeof inputs };
  /** What was answered or entered here before "back". */
  draft: Step | undefined;
  onAnswer: (answer: Answer) => void;
  onBack: ((unsent: Unsent | undefined) => void) | undefined;
  onSkip: () => void;
}

/** Every question but that for a photo: an input, its error, and the way on. Enter goes on. */
export function AnswerForm({ question, draft, onAnswer, onBack, onSkip }: AnswerFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [entry, setEntry] = useState<Entry>(() => entryOf(draft));
  const [refusal, setRefusal] = useState<Extract<Checked, { ok: false }>>();
  const Input = inputs[question.questionType];

  function submit(event: Event) {
    event.preventDefault();
    const checked = checkAnswer(question, entry);
    if (checked.ok) return onAnswer(checked.answer);
    setRefusal(checked);
    form.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <QuestionFrame question={question}>
        <Input
          question={question}
          entry={entry}
          onEntry={(next) => {
            setEntry(next);
            setRefusal(undefined);
          }}
          describedBy={question.help === undefined ? 'error' : 'help error'}
          isInvalid={refusal !== undefined}
        />
        <p id="error" class="field-error" aria-live="assertive">
          {refusal !== undefined && refusalText(refusal)}
        </p>
        <QuestionActions
          question={question}
          onBack={onBack && (() => onBack(unsentOf(entry)))}
          onSkip={onSkip}
        >
          <button type="submit">{texts.value.intake.next}</button>
        </QuestionActions>
      </QuestionFrame>
    </form>
  );
}

/** An entry as a step holds it, be it an answer or not. */
const unsentOf = (entry: Entry): Unsent | undefined =>
  entry === undefined || entry === '' ? undefined : { answer: entry };

function entryOf(draft: Step | undefined): Entry {
  return typeof draft?.answer === 'number' ? String(draft.answer) : draft?.answer;
}

function refusalText({ reason, values }: Extract<Checked, { ok: false }>): string {
  const words = Object.entries(values).map(([name, value]) => [name, number(value)]);
  return fill(texts.value.intake[reason], Object.fromEntries(words) as Record<string, string>);
}
