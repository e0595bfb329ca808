import type { NextQuestion } from 'dermagate-client';
import { useEffect } from 'preact/hooks';
import { percent } from '../i18n/format.ts';
import { language, texts } from '../i18n/language.ts';
import { fill } from '../i18n/texts.ts';
import { stepOf, type Unsent } from '../intake/intake.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { AnswerForm } from '../questions/answer-form.tsx';
import { CameraQuestion } from '../questions/camera-question.tsx';
import { FlagTexts } from '../result/red-flags-part.tsx';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { WarningIcon } from '../ui/icons.tsx';
import { Loading } from '../ui/loading.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { ResultPage } from './result.tsx';
import { ReviewPage } from './review.tsx';

/** One question after the other, as the gateway asks them, until it says that it was the last. */
export function IntakePage({ intake, showsResult }: { intake: IntakeSession; showsResult: boolean }) {
  const words = texts.value.intake;
  useEffect(intake.ask, [intake, language.value]);
  const asked = intake.asked.value;

  if (asked.state === 'asked' && asked.question.isComplete) {
    const { question } = asked;
    const { submitted = false } = intake.intake.value;
    return (showsResult && submitted) || question.emergency !== undefined ? (
      <ResultPage intake={intake} end={question} />
    ) : (
      <ReviewPage intake={intake} />
    );
  }
  return (
    <section class="card question">
      <UrgentFlags intake={intake} />
      {asked.state === 'asking' && <Loading>{words.asking}</Loading>}
      {asked.state === 'asked' && (
        <>
          <Progress share={asked.question.progress} />
          {asked.failure !== undefined && <FailureNotice failure={asked.failure} onRetry={intake.ask} />}
          <Question key={asked.question.questionId} question={asked.question} intake={intake} />
        </>
      )}
      {asked.state === 'failed' && (
        <>
          <PageTitle about="failed">{texts.value.problems.unexpected}</PageTitle>
          <FailureNotice failure={asked.failure} note={words.kept} onRetry={intake.ask} />
          <BackButton intake={intake} />
        </>
      )}
    </section>
  );
}

function Question({ question, intake }: { question: NextQuestion; intake: IntakeSession }) {
  const { steps, drafts } = intake.intake.value;
  const common = {
    draft: drafts[question.questionId],
    onBack:
      steps.length > 0
        ? (unsent?: Unsent) =>
            intake.apply({
              type: 'went-back',
              left: unsent && stepOf(question, unsent.answer, unsent.quality),
            })
        : undefined,
    onSkip: () => intake.apply({ type: 'skipped', question }),
  };
  const { questionType } = question;
  if (questionType === 'camera') {
    return (
      <CameraQuestion
        {...common}
        question={question}
        onAnswer={(answer, quality) =>
          intake.apply({ type: 'answered', question, answer, ...(quality && { quality }) })
        }
      />
    );
  }
  return (
    <AnswerForm
      {...common}
      question={{ ...question, questionType }}
      onAnswer={(answer) => intake.apply({ type: 'answered', question, answer })}
    />
  );
}

function Progress({ share = 0 }: { share: number | undefined }) {
  const words = texts.value.intake;
  return (
    <div class="progress">
      <progress value={share} max={1} aria-label={words.progress} />
      <span class="small">{fill(words.progressValue, { percent: percent(share) })}</span>
    </div>
  );
}

/** As soon as an answer raises them, not only at the end. */
function UrgentFlags({ intake }: { intake: IntakeSession }) {
  const flags = intake.urgentFlags.value;
  if (flags === undefined) return null;
  return (
    <section class={`red-flags ${flags.urgency}`} role="alert" aria-labelledby="urgent">
      <h2 id="urgent">
        <WarningIcon />
        {texts.value.intake.flagTitle}
      </h2>
      <FlagTexts redFlags={flags} />
    </section>
  );
}

function BackButton({ intake }: { intake: IntakeSession }) {
  if (intake.intake.value.steps.length === 0) return null;
  return (
    <button type="button" class="secondary outline" onClick={() => intake.apply({ type: 'went-back' })}>
      {texts.value.common.back}
    </button>
  );
}
