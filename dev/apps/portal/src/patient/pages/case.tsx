import type { MobileCase } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { Advice } from '../cases/advice.tsx';
import { Answers } from '../cases/answers.tsx';
import { CancelCase } from '../cases/cancel-case.tsx';
import { CaseHistory, MessageText } from '../cases/case-history.tsx';
import { CasePhotos } from '../cases/case-photos.tsx';
import { GuardianForm } from '../cases/guardian-form.tsx';
import { forWhom } from '../../account/people/person-name.ts';
import { ReplyForm } from '../cases/reply-form.tsx';
import { requestsOf } from '../cases/requests-of.ts';
import { rememberedCase } from '../cases/shown-cases.ts';
import { useLoaded } from '../../query/use-loaded.ts';
import { readCase } from '../../gateway/case-calls.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { go } from '../../session/route.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

/** One case: what must be read at once, where it stands, what to do, and what has happened. */
export function CasePage({ uuid, intake }: { uuid: string; intake: IntakeSession }) {
  const { cases } = texts.value;
  const known = rememberedCase(uuid);
  const [changed, setChanged] = useState<MobileCase>();
  const { outcome, again } = useLoaded((signal) => readCase(uuid, signal), uuid);
  const read = outcome?.ok ? outcome.value : known;
  // A reply may be older than the case that an action here has returned.
  const shown = changed !== undefined && changed.version >= (read?.version ?? 0) ? changed : read;
  return (
    <article class="card result">
      {shown === undefined && outcome === undefined && <Loading />}
      {outcome?.ok === false && (
        <>
          {shown === undefined && <PageTitle about="case">{cases.title}</PageTitle>}
          <FailureNotice failure={outcome.failure} onRetry={again} />
        </>
      )}
      {shown !== undefined && <Case shown={shown} intake={intake} onChanged={setChanged} />}
      <p class="after">
        <Link to="/cases">{cases.backToList}</Link>
      </p>
    </article>
  );
}

interface CaseProps {
  shown: MobileCase;
  intake: IntakeSession;
  onChanged: (changed: MobileCase) => void;
}

function Case({ shown, intake, onChanged }: CaseProps) {
  const { cases } = texts.value;
  const { patient_status: status, allowed_actions: actions } = shown;
  const isOpen = ['waiting', 'in_review', 'action_needed'].includes(status);
  return (
    <>
      <PageTitle about={shown.uuid}>{fill(cases.item, { number: String(shown.id) })}</PageTitle>
      {shown.advice !== null && <Advice advice={shown.advice} />}
      <p class="lead">{forWhom(shown.patient)}</p>
      <section class="part" aria-labelledby="status">
        <h2 id="status">{cases.statusTitle}</h2>
        <p class="soon" role="status">
          <strong>{cases.status[status]}</strong>
        </p>
        <p>{status === 'answered' && !shown.answer_available ? cases.noAnswer : cases.next[status]}</p>
        {isOpen && <p>{cases.worse}</p>}
        {status === 'draft' && <ContinueQuestions shown={shown} intake={intake} label={cases.goOn} />}
        {status === 'action_needed' && <Asked shown={shown} intake={intake} onChanged={onChanged} />}
      </section>
      {shown.answer_available && <Answers shown={shown} />}
      <CasePhotos images={shown.images} />
      <CaseHistory shown={shown} />
      {actions.includes('cancel') && <CancelCase shown={shown} onDone={onChanged} />}
    </>
  );
}

function Asked({ shown, intake, onChanged }: CaseProps) {
  const { cases } = texts.value;
  const asks = requestsOf(shown);
  const newest = shown.messages.findLast(({ direction }) => direction === 'to_patient');
  return (
    <>
      {newest !== undefined && (
        <div class="notice warning">
          <div>
            <MessageText message={newest} />
          </div>
        </div>
      )}
      {asks.guardian ? (
        <GuardianForm shown={shown} />
      ) : (
        <>
          {asks.answers && <ContinueQuestions shown={shown} intake={intake} label={cases.answerMissing} />}
          {(!asks.answers || asks.photos) && <ReplyForm shown={shown} onDone={onChanged} />}
        </>
      )}
    </>
  );
}

interface ContinueProps extends Pick<CaseProps, 'shown' | 'intake'> {
  label: string;
}

/** The questions continue where the case's answers end; the intake in this tab is replaced by it. */
function ContinueQuestions({ shown, intake, label }: ContinueProps) {
  const goOn = () => {
    const { uuid, version, anamnesis, patient_status: status } = shown;
    const own = intake.intake.value.case;
    const clientId = own?.uuid === uuid ? own.clientId : crypto.randomUUID();
    const held = status === 'action_needed' && { held: true as const };
    intake.apply({ type: 'draft-continued', base: anamnesis, case: { clientId, uuid, version, ...held } });
    go('/intake');
  };
  return (
    <button type="button" onClick={goOn}>
      {label}
    </button>
  );
}
