import type { MobileCase, PatientAnnotations } from 'dermagate-client';
import { useEffect, useRef } from 'preact/hooks';
import { readAnswers } from '../../gateway/case-calls.ts';
import { dateAndTime } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { directionOf, fill } from '../../i18n/texts.ts';
import { useRead } from '../../query/use-read.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { urgencyOf } from './answer-urgency.tsx';
import { Loading } from '../../ui/loading.tsx';

interface AnswersProps {
  shown: MobileCase;
  /** Called once the answers are on the screen. */
  onShown: () => void;
}

function useAnswers(shown: MobileCase | undefined) {
  const { uuid = '', version = 0, answer_available: enabled = false } = shown ?? {};
  return useRead(['answers', uuid, version], (signal) => readAnswers(uuid, signal), {
    keepsPrevious: true,
    survivesLanguage: true,
    enabled,
  });
}

/**
 * Whether the page of a case can be drawn whole, so that an answer which arrives later moves nothing. Advice waits for
 * nothing.
 */
export function useIsWhole(shown: MobileCase | undefined): boolean {
  const { value, failure } = useAnswers(shown);
  if (shown === undefined) return false;
  return !shown.answer_available || shown.advice !== null || value !== undefined || failure !== undefined;
}

type Answer = PatientAnnotations['annotations'][number];

/**
 * What doctors have answered, as they wrote it. What a newer answer has replaced comes after it and is folded: dose or advice in
 * it may be wrong.
 */
export function Answers({ shown, onShown }: AnswersProps) {
  const { cases } = texts.value;
  const { value: read, failure, again } = useAnswers(shown);
  // An answer on the screen stays when the case has changed since, as by reading it, and cannot be read again.
  const last = useRef(read);
  last.current = read ?? last.current;
  const value = last.current;
  useEffect(() => {
    if (value !== undefined && value.annotations.length > 0) onShown();
  }, [value]);
  return (
    <section class="part" aria-labelledby="answer">
      <h2 id="answer">{cases.answer}</h2>
      {shown.advice_is_newer && (
        <p>
          <strong>{cases.answerBefore}</strong>
        </p>
      )}
      {value === undefined && failure === undefined && <Loading />}
      {failure !== undefined && <FailureNotice failure={failure} onRetry={again} />}
      {value?.annotations
        .filter(({ status }) => status === 'final')
        .map((answer) => (
          <div key={answer.uuid} class={`doctors-answer ${urgencyOf(answer.recommended_action) ?? ''}`}>
            <AnswerText answer={answer} />
          </div>
        ))}
      {value?.annotations
        .filter(({ status }) => status !== 'final')
        .map((answer) => (
          <details key={answer.uuid} class="replaced-answer">
            <summary>{cases.answerReplaced}</summary>
            <AnswerText answer={answer} />
          </details>
        ))}
    </section>
  );
}

function AnswerText({
  answer: { author, language, published_at: at, rendered_text: text, urgency_explanation: why },
}: {
  answer: Answer;
}) {
  const date = dateAndTime(new Date(at));
  return (
    <>
      <p class="small">{fill(texts.value.cases.answerBy, { name: author.display_name, date })}</p>
      {why !== null && (
        <p class="message" lang={language} dir={directionOf(language)}>
          {why}
        </p>
      )}
      <p class="message" lang={language} dir={directionOf(language)}>
        {text}
      </p>
    </>
  );
}
