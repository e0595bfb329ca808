import type { MobileCase } from 'dermagate-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { forWhom } from '../../account/people/person-name.ts';
import { Advice, EarlierAdvice } from '../cases/advice.tsx';
import { AnswerUrgency, answerUrgency, isAdviceReplaced } from '../cases/answer-urgency.tsx';
import { Answers, useIsWhole } from '../cases/answers.tsx';
import { AskAgain } from '../cases/ask-again.tsx';
import { CancelCase } from '../cases/cancel-case.tsx';
import { CaseHistory, MessageText } from '../cases/case-history.tsx';
import { CasePhotos } from '../cases/case-photos.tsx';
import { DraftFlags } from '../cases/draft-flags.tsx';
import { GuardianForm } from '../cases/guardian-form.tsx';
import { acknowledge, hasUnreadAnswer, noteCase, useCase } from '../cases/own-cases.ts';
import { earlierCase } from '../cases/refusal.ts';
import { ReplyForm } from '../cases/reply-form.tsx';
import { requestsOf } from '../cases/requests-of.ts';
import { ContinueButton } from '../draft/continue-button.tsx';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

/** One case: what must be read at once, where it stands, what to do, and what has happened. */
export function CasePage({ uuid, intake }: { uuid: string; intake: IntakeSession }) {
  const { cases } = texts.value;
  const { value: shown, failure, again } = useCase(uuid);
  const isWhole = useIsWhole(shown);
  return (
    <article class="card result">
      <p class="trail">
        <Link to="/cases">{cases.backToList}</Link>
      </p>
      {!isWhole && failure === undefined && <Loading />}
      {failure !== undefined && (
        <>
          {shown === undefined && <PageTitle about="case">{cases.title}</PageTitle>}
          <FailureNotice failure={failure} onRetry={again} />
        </>
      )}
      {shown !== undefined && isWhole && <Case shown={shown} intake={intake} />}
    </article>
  );
}

interface CaseProps {
  shown: MobileCase;
  intake: IntakeSession;
}

function Case({ shown, intake }: CaseProps) {
  const { cases, folder } = texts.value;
  const [done, setDone] = useState(0);
  const { uuid, patient_status: status, allowed_actions: actions } = shown;
  const isReplaced = isAdviceReplaced(shown);
  // Danger that was found since is read first; nothing comes before a call for help.
  const isAnswerFirst = shown.answer_available && (isReplaced || answerUrgency(shown) === 'emergency');
  const isOpen = ['waiting', 'in_review', 'action_needed'].includes(status);
  // An urgent case waits in the queue for what it lacks.
  const isAsked = status === 'action_needed' || (status === 'waiting' && actions.includes('update'));
  // The form that was sent goes, and the focus with it: it continues above where the case stands now.
  const note = (changed: MobileCase) => {
    noteCase(changed);
    setDone((before) => before + 1);
  };
  return (
    <>
      <PageTitle about={`${uuid} ${done}`}>{fill(cases.item, { number: String(shown.id) })}</PageTitle>
      {isAnswerFirst && <AnswerUrgency shown={shown} />}
      {shown.advice !== null && !isReplaced && <Advice advice={shown.advice} />}
      {shown.answer_available && !isAnswerFirst && <AnswerUrgency shown={shown} />}
      {status === 'draft' && <DraftFlags shown={shown} />}
      <p class="lead">{forWhom(shown.patient)}</p>
      <section class="part" aria-labelledby="status">
        <h2 id="status">{cases.statusTitle}</h2>
        <p class="soon" role="status">
          <strong>{cases.status[status]}</strong>
        </p>
        <WhatNext shown={shown} />
        {isOpen && <p>{cases.worse}</p>}
        {status === 'draft' && <ContinueButton shown={shown} intake={intake} label={cases.goOn} />}
        {isAsked && <Asked shown={shown} intake={intake} onDone={note} />}
      </section>
      {shown.answer_available && <ReadAnswers shown={shown} />}
      {shown.advice !== null && isReplaced && <EarlierAdvice advice={shown.advice} />}
      {status === 'answered' && actions.includes('reply') && <AskAgain shown={shown} onDone={note} />}
      <CasePhotos images={shown.images} />
      <CaseHistory shown={shown} />
      <section class="part ways">
        <p>
          <Link to={`/cases/${uuid}/for-my-doctor`}>{folder.doctor.link}</Link>
        </p>
        <p>
          <Link to={`/account/contact?case=${uuid}`}>{folder.contact}</Link>
        </p>
      </section>
      {actions.includes('cancel') && (
        <CancelCase
          shown={shown}
          onDone={(ended) => {
            note(ended);
            endDraft(ended, intake);
          }}
        />
      )}
    </>
  );
}

function WhatNext({ shown }: { shown: MobileCase }) {
  const { cases } = texts.value;
  const { patient_status: status } = shown;
  const earlier = earlierCase(shown);
  if (earlier !== undefined) {
    return (
      <p>
        {cases.duplicate} <Link to={`/cases/${earlier}`}>{cases.showEarlier}</Link>
      </p>
    );
  }
  return <p>{status === 'answered' && !shown.answer_available ? cases.noAnswer : cases.next[status]}</p>;
}

/** The draft in this tab ends with its case. */
function endDraft(ended: MobileCase, { intake, apply }: IntakeSession): void {
  if (intake.value.case?.uuid === ended.uuid) apply({ type: 'started-again' });
}

/** What doctors have answered; on the screen it counts as read. */
function ReadAnswers({ shown }: { shown: MobileCase }) {
  const noted = useRef<number>(undefined);
  const markRead = () => {
    if (!hasUnreadAnswer(shown) || noted.current === shown.version) return;
    noted.current = shown.version;
    void acknowledge(shown);
  };
  return <Answers shown={shown} onShown={markRead} />;
}

function Asked({ shown, intake, onDone }: CaseProps & { onDone: (changed: MobileCase) => void }) {
  const { cases } = texts.value;
  const asks = requestsOf(shown);
  const newest = shown.messages.findLast(({ direction }) => direction === 'to_patient');
  const asked = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The advice is at the top, and more urgent than the request.
    if (shown.advice === null) asked.current?.scrollIntoView({ block: 'nearest' });
  }, [newest?.uuid]);
  return (
    <>
      {newest !== undefined && (
        <div class="notice warning" ref={asked}>
          <div>
            <MessageText message={newest} />
          </div>
        </div>
      )}
      {/* An urgent case stays in the queue meanwhile: made again for a guardian it would leave it. */}
      {asks.guardian && shown.patient_status === 'action_needed' ? (
        <GuardianForm shown={shown} />
      ) : (
        <>
          {asks.answers && <ContinueButton shown={shown} intake={intake} label={cases.answerMissing} />}
          {(!asks.answers || asks.photos) && <ReplyForm shown={shown} onDone={onDone} />}
        </>
      )}
    </>
  );
}
