import type { Answer, NextQuestion, QuestionType } from 'dermagate-client';
import type { ComponentType } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { number } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import type { Step, Unsent } from '../intake/intake.ts';
import { BoolQuestion } from './bool-question.tsx';
import { checkAnswer, type Checked, type Entry } from '../intake/check-answer.ts';
import { CheckboxQuestion } from './checkbox-question.tsx';
import { entryOf } from '../intake/entry-of.ts';
import type { EntryProps } from './entry-props.ts';
import { MoreBelow } from './more-below.tsx';
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
  /** The answer or entry from before "back". */
  draft: Step | undefined;
  /** Receives a reader of the entry until it is sent. */
  unsent: { read: (() => Unsent | undefined) | undefined };
  onAnswer: (answer: Answer) => void;
  onBack: (() => void) | undefined;
  onSkip: () => void;
}

/** Every question except a photo: an input, the reason of a refusal, and the buttons. Enter submits. */
export function AnswerForm({ question, draft, unsent, onAnswer, onBack, onSkip }: AnswerFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [entry, setEntry] = useState<Entry>(() => entryOf(question, draft));
  const [refusal, setRefusal] = useState<Extract<Checked, { ok: false }>>();
  const Input = inputs[question.questionType];
  unsent.read = () => unsentOf(entry);

  function submit(event: Event) {
    event.preventDefault();
    const checked = checkAnswer(question, entry);
    if (checked.ok) return onAnswer(checked.answer);
    setRefusal(checked);
  }

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <QuestionFrame question={question}>
        {refusal !== undefined && <Refusal refusal={refusal} />}
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
        <QuestionActions
          question={question}
          onBack={onBack}
          onSkip={onSkip}
          hint={<MoreBelow key={question.questionId} form={form} />}
        >
          <button type="submit">{texts.value.intake.next}</button>
        </QuestionActions>
      </QuestionFrame>
    </form>
  );
}

/** Above the input, because a long list would hide it. Takes focus and scrolls into view on every refusal. */
function Refusal({ refusal }: { refusal: Extract<Checked, { ok: false }> }) {
  const reason = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    reason.current?.focus({ preventScroll: true });
    reason.current?.scrollIntoView({ block: 'center' });
  }, [refusal]);
  return (
    <p id="error" class="field-error" ref={reason} tabIndex={-1}>
      {refusalText(refusal)}
    </p>
  );
}

/** An entry as a step stores it, valid or not. */
const unsentOf = (entry: Entry): Unsent | undefined =>
  entry === undefined || entry === '' ? undefined : { answer: entry };

function refusalText({ reason, values }: Extract<Checked, { ok: false }>): string {
  const words = Object.entries(values).map(([name, value]) => [name, number(value)]);
  return fill(texts.value.intake[reason], Object.fromEntries(words) as Record<string, string>);
}
