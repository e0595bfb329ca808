import type { Answer } from 'dermagate-client';
import { useEffect } from 'preact/hooks';
import type { AskedQuestion } from '../../gateway/asked-question.ts';
import { emergencyNumber } from '../../gateway/help-lines.ts';
import { percent } from '../../i18n/format.ts';
import { language, texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { DraftNote } from '../draft/draft-note.tsx';
import { needsPerson, PersonQuestion } from '../draft/person-question.tsx';
import { type Intake, type PhotoQuality, stateOf, stepOf, type Unsent } from '../intake/intake.ts';
import { isContinuing } from '../intake/repeat-answer.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { AnswerForm } from '../questions/answer-form.tsx';
import { CameraQuestion } from '../questions/camera-question.tsx';
import { UrgentFlags, urgentFlagsOf } from '../result/urgent-flags.tsx';
import { goToNextQuestion, goToQuestionBefore } from '../../session/route.ts';
import { CallLink } from '../../ui/call-link.tsx';
import { EmergencyNotice } from '../../ui/emergency-notice.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ReplyNotes } from '../../ui/reply-notes.tsx';
import { useWhileShown } from '../../ui/use-while-shown.ts';
import { ResultPage } from './result.tsx';
import { ReviewPage } from './review.tsx';

/** One question after the other, as the gateway asks them, until the questionnaire is complete. */
export function IntakePage({ intake, showsResult }: { intake: IntakeSession; showsResult: boolean }) {
  const words = texts.value.intake;
  useEffect(intake.ask, [intake, language.value]);
  useStoredEntry(intake);
  const asked = intake.asked.value;

  if (asked.state === 'asked' && asked.question.isComplete) {
    const { question } = asked;
    const { submitted = false } = intake.intake.value;
    return (showsResult && submitted) || question.emergency !== undefined ? (
      <ResultPage intake={intake} end={question} />
    ) : (
      <ReviewPage intake={intake} end={question} />
    );
  }
  if (needsPerson(intake.intake.value)) {
    return (
      <section class="card question">
        <UrgentFlags intake={intake} />
        <Progress />
        <PersonQuestion intake={intake} />
      </section>
    );
  }
  return (
    <section class="card question">
      <UrgentFlags intake={intake} />
      {asked.state !== 'failed' && (
        <Progress question={asked.state === 'asked' ? asked.question : undefined} />
      )}
      {asked.state === 'asking' && <Loading>{waitingFor(intake.intake.value)}</Loading>}
      {asked.state === 'asked' && (
        <>
          {asked.failure !== undefined && <FailureNotice failure={asked.failure} onRetry={intake.ask} />}
          <Question key={asked.question.questionId} question={asked.question} intake={intake} />
          <ReplyNotes replies={[asked.question]} />
          <DraftNote intake={intake} />
        </>
      )}
      {asked.state === 'failed' && (
        <>
          <PageTitle about="failed">{words.askingFailed}</PageTitle>
          {/* The answer that was not checked may be about a danger, and its question no longer says so. */}
          {urgentFlagsOf(intake)?.urgency !== 'emergency' && (
            <EmergencyNotice text={texts.value.home.emergency} />
          )}
          <FailureNotice failure={asked.failure} note={words.answersSafe} onRetry={intake.ask} />
          <BackButton intake={intake} />
        </>
      )}
    </section>
  );
}

/** What is entered and not sent outlives another page, a reload and the end of the session. */
function useStoredEntry({ storeEntry }: IntakeSession): void {
  useWhileShown(() => {
    const onHidden = () => document.visibilityState === 'hidden' && storeEntry();
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      document.removeEventListener('visibilitychange', onHidden);
      storeEntry();
    };
  }, [storeEntry]);
}

function waitingFor(intake: Intake): string {
  if (intake.ahead !== undefined) return texts.value.intake.repeating;
  return isContinuing(intake) ? texts.value.folder.loading : texts.value.intake.asking;
}

const canGoBack = ({ intake }: IntakeSession): boolean =>
  intake.value.steps.length > 0 || intake.value.before !== undefined;

function Question({ question, intake }: { question: AskedQuestion; intake: IntakeSession }) {
  const unsent: { read: (() => Unsent | undefined) | undefined } = { read: undefined };
  intake.unsent.read = () => {
    const left = unsent.read?.();
    return left && stepOf(question, left.answer, left.quality);
  };
  const common = {
    draft: intake.intake.value.drafts[question.questionId],
    unsent,
    onBack: canGoBack(intake) ? goToQuestionBefore : undefined,
    onSkip: () => {
      goToNextQuestion();
      intake.apply({ type: 'skipped', question });
    },
  };
  const answer = (given: Answer, quality?: PhotoQuality) => {
    goToNextQuestion();
    intake.apply({ type: 'answered', question, answer: given, ...(quality && { quality }) });
  };
  const { questionType } = question;
  const { person } = intake.intake.value;
  return questionType === 'camera' ? (
    <CameraQuestion
      {...common}
      question={question}
      about={JSON.stringify([question.questionId, stateOf(intake.intake.value).anamnesis, person?.uuid])}
      onAnswer={answer}
    />
  ) : (
    <AnswerForm {...common} question={{ ...question, questionType }} onAnswer={answer} />
  );
}

/** Progress, and the emergency number: without a question too, as the answer before it may be about a danger. */
function Progress({ question }: { question?: AskedQuestion | undefined }) {
  const words = texts.value.intake;
  const { progress = 0, emergencyNumber: own } = question ?? {};
  const number = own ?? emergencyNumber.value;
  if (question === undefined && number === undefined) return null;
  return (
    <div class="progress">
      {question !== undefined && (
        <>
          <progress value={progress} max={1} aria-label={words.progress} />
          <span class="small">{fill(words.progressValue, { percent: percent(progress) })}</span>
        </>
      )}
      {number !== undefined && <CallLink number={number} label={words.emergencyCall} />}
    </div>
  );
}

function BackButton({ intake }: { intake: IntakeSession }) {
  if (!canGoBack(intake)) return null;
  return (
    <button type="button" class="secondary outline" onClick={goToQuestionBefore}>
      {texts.value.common.back}
    </button>
  );
}
