import type { NextQuestion } from 'dermagate-client';
import type { ComponentChildren } from 'preact';
import { texts } from '../../i18n/language.ts';
import { PageTitle } from '../../ui/page-title.tsx';

export interface QuestionFrameProps {
  question: NextQuestion;
  children: ComponentChildren;
}

/** The text of the question, above its input. */
export function QuestionFrame({ question, children }: QuestionFrameProps) {
  const { help, questionId, questionText, safety, skippable } = question;
  const { intake } = texts.value;
  return (
    <>
      <div id="question">
        <PageTitle about={questionId}>{questionText}</PageTitle>
      </div>
      {safety === true && <p class="tag safety">{intake.safety}</p>}
      {skippable === true && safety !== true && <p class="tag">{intake.optional}</p>}
      {help !== undefined && (
        <p id="help" class="help">
          {help}
        </p>
      )}
      {children}
    </>
  );
}

interface QuestionActionsProps {
  question: NextQuestion;
  onBack: (() => void) | undefined;
  onSkip: () => void;
  /** Above the buttons. */
  hint?: ComponentChildren;
  /** The button that submits. */
  children?: ComponentChildren;
}

export function QuestionActions({ question, onBack, onSkip, hint, children }: QuestionActionsProps) {
  const { common, intake } = texts.value;
  return (
    <div class="sticky">
      {hint}
      <div class="actions">
        {onBack !== undefined && (
          <button type="button" class="secondary outline" onClick={onBack}>
            {common.back}
          </button>
        )}
        {question.skippable && (
          <button type="button" class="secondary outline" onClick={onSkip}>
            {intake.skip}
          </button>
        )}
        {children}
      </div>
    </div>
  );
}
