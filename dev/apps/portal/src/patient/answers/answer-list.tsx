import { askNextQuestion } from '../../gateway/gateway.ts';
import { number } from '../../i18n/format.ts';
import { language, texts } from '../../i18n/language.ts';
import { directionOf } from '../../i18n/texts.ts';
import { finalSteps } from '../intake/final-answers.ts';
import { isAnswered, type Step } from '../intake/intake.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { useWordings } from '../intake/use-wordings.ts';
import type { Wording } from '../intake/wording.ts';
import { StoredPhoto } from '../photo/stored-photo.tsx';
import { goToNextQuestion } from '../../session/route.ts';
import { WarningIcon } from '../../ui/icons.tsx';

interface AnswerListProps {
  intake: IntakeSession;
  /** Whether each question can be asked again from here. */
  canChange: boolean;
  /** Translation costs one call per question; hidden answers are not worth it. */
  isFolded?: boolean;
}

/** Every question asked, with its answer. */
export function AnswerList({ intake, canChange, isFolded = false }: AnswerListProps) {
  const { review } = texts.value;
  const { steps } = intake.intake.value;
  const wordingOf = useWordings(isFolded ? noSteps : steps, language.value, askNextQuestion);
  const change = (step: Step) => {
    goToNextQuestion();
    intake.apply({ type: 'changed', index: steps.indexOf(step) });
  };
  return (
    <ol class="answers">
      {finalSteps({ steps }).map((step) => {
        const wording = wordingOf(step);
        return (
          <li key={`${steps.indexOf(step)} ${step.questionId}`} {...inLanguageOf(wording)}>
            <div class="given">
              <p class="small">{wording.question}</p>
              <GivenAnswer step={step} wording={wording} />
            </div>
            {canChange && (
              <button type="button" class="secondary outline" onClick={() => change(step)}>
                {review.change} <span class="visually-hidden">{wording.question}</span>
              </button>
            )}
          </li>
        );
      })}
    </ol>
  );
}

const noSteps: readonly Step[] = [];

const inLanguageOf = ({ language: lang }: Wording) =>
  lang === undefined || lang === language.value ? {} : { lang, dir: directionOf(lang) };

function GivenAnswer({ step, wording }: { step: Step; wording: Wording }) {
  const { photo, review } = texts.value;
  if (!isAnswered(step)) {
    return (
      <p class={step.safety === true ? 'unanswered safety' : 'unanswered'}>
        {step.safety === true && <WarningIcon />}
        <span>{step.safety === true ? review.safetyUnanswered : review.unanswered}</span>
      </p>
    );
  }
  if (step.questionType !== 'camera') return <p dir="auto">{answerInWords(step, wording)}</p>;
  const { quality } = step;
  return (
    <>
      <StoredPhoto path={String(step.answer)} alt={wording.question} />
      {quality !== undefined && <p>{quality.isValid ? photo.usable : photo.unusable}</p>}
    </>
  );
}

function answerInWords({ answer }: Step, { labels, unit }: Wording): string {
  if (labels.length > 0) return labels.join(', ');
  if (typeof answer !== 'number') return String(answer);
  return unit === undefined ? number(answer) : `${number(answer)} ${unit}`;
}
