import type { NextQuestion } from 'dermagate-client';
import type { ComponentChildren } from 'preact';
import { texts } from '../i18n/language.ts';
import { PageTitle } from '../ui/page-title.tsx';

export interface QuestionFrameProps {
  question: NextQuestion;
  children: ComponentChildren;
}

/** The question itself, above whatever answers it. */
export function QuestionFrame({ question, children }: QuestionFrameProps) {
  const { help, questionId, questionText, skippable } = question;
  return (
    <>
      <div id="question">
        <PageTitle about={questionId}>{questionText}</PageTitle>
      </div>
      {skippable && <p class="tag">{texts.value.intake.optional}</p>}
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
  /** The button that goes on. */
  children?: ComponentChildren;
}

export function QuestionActions({ question, onBack, onSkip, children }: QuestionActionsProps) {
  const { common, intake } = texts.value;
  return (
    <div class="actions sticky">
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
  );
}
