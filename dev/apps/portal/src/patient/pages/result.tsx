import type { NextQuestion, PartialAnamnesis, RedFlags } from 'dermagate-client';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { AnswerList } from '../answers/answer-list.tsx';
import { CasesUnknown } from '../cases/cases-unknown.tsx';
import { takesCases } from '../cases/features.ts';
import { SendPart } from '../cases/send-part.tsx';
import type { AskedQuestion } from '../../gateway/asked-question.ts';
import type { Outcome } from '../../gateway/attempt.ts';
import { diagnose, findRedFlags, loadPhoto, triage } from '../../gateway/gateway.ts';
import { dateAndTime } from '../../i18n/format.ts';
import { language, texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { type IntakeEvent, type StoredDiagnosis, stateOf, type Step } from '../intake/intake.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { openSafetyQuestions, unsureAnswers } from '../intake/final-answers.ts';
import {
  type Assessment,
  failureToShow,
  isReassuring,
  lastOf,
  type Part,
  redFlagsOf,
} from '../result/assessment.ts';
import { type AssessmentSession, openAssessment } from '../result/assessment-session.ts';
import { DiagnosisPart } from '../result/diagnosis-part.tsx';
import { ProfessionalPart } from '../result/professional-part.tsx';
import { OtherFlags, RedFlagsPart } from '../result/red-flags-part.tsx';
import { ResultActions } from './result-actions.tsx';
import { TriagePart } from '../result/triage-part.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Link } from '../../ui/link.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { type Notes, ReplyNotes } from '../../ui/reply-notes.tsx';

/** By the answers that they belong to, so that a result survives leaving the page. */
const sessions = new WeakMap<readonly Step[], AssessmentSession>();

/** @param end of the questionnaire: regular, or because of an emergency. */
export function ResultPage({ intake, end }: { intake: IntakeSession; end: AskedQuestion }) {
  const { common, intake: words, result } = texts.value;
  const { steps, base } = intake.intake.value;
  const session = sessions.get(steps) ?? openSession(intake, end);
  useEffect(() => session.ask(language.value), [session, language.value]);

  const opened = useMemo(() => new Date(), [session]);

  const assessment = session.assessment.value;
  const redFlags = redFlagsOf(assessment, end);
  // The advice is on the page already; "could not be determined" would weaken it.
  const isEmergency = redFlags.state === 'answered' && redFlags.value.urgency === 'emergency';
  const failure = failureToShow(assessment);
  const known = knownOf(assessment, redFlags);
  const madeAt = known.made === undefined ? opened : new Date(known.made.madeAt);
  const photo = useMemo(() => stateOf(intake.intake.value).anamnesis.images?.[0]?.url, [steps]);
  const unknowns = {
    openQuestions: openSafetyQuestions({ steps }),
    unsureAnswers: unsureAnswers({ steps, ...(base && { base }) }),
  };
  return (
    <article class="card result">
      <PageTitle about="result">{result.title}</PageTitle>
      <RedFlagsPart
        part={redFlags}
        reassuring={isReassuring(redFlags, assessment, unknowns)}
        unknowns={unknowns}
      />
      {end.emergency !== undefined && <p>{result.emergencyLead}</p>}
      {failure !== undefined && (
        <section aria-label={result.failedTitle}>
          <FailureNotice failure={failure} note={words.answersSafe} onRetry={session.retry} />
        </section>
      )}
      {!(isEmergency && assessment.triage.state === 'failed' && known.triage === undefined) && (
        <TriagePart part={assessment.triage} redFlags={known.redFlags} isSent={isSent(intake)} />
      )}
      {known.redFlags !== undefined && <OtherFlags redFlags={known.redFlags} />}
      {takesCases.value ? <SendPart intake={intake} isEmergency={isEmergency} /> : <CasesUnknown />}
      <p class="after">
        <Link to="/result/for-my-doctor">{texts.value.folder.doctor.link}</Link>
      </p>
      {assessment.diagnosis !== undefined && (
        <DiagnosisPart part={assessment.diagnosis} photo={photo} onAgain={session.diagnoseAgain} />
      )}
      <GivenAnswers intake={intake} isEmergency={end.emergency !== undefined} />
      <ProfessionalPart {...known} />
      <div class="notice disclaimer">
        <div>
          <p>{common.disclaimer}</p>
          <ReplyNotes replies={notesOf(known, end)} />
        </div>
      </div>
      <p class="small">{fill(result.made, { date: dateAndTime(madeAt) })}</p>
      <ResultActions intake={intake} canReview={end.emergency === undefined} />
    </article>
  );
}

const isSent = ({ intake }: IntakeSession): boolean => intake.value.case?.sent === true;

/** Open and editable after an emergency, when nothing else is shown; otherwise folded. */
function GivenAnswers({ intake, isEmergency }: { intake: IntakeSession; isEmergency: boolean }) {
  const { result } = texts.value;
  const [isFolded, setFolded] = useState(true);
  if (!isEmergency) {
    return (
      <details class="part" onToggle={({ currentTarget }) => setFolded(!currentTarget.open)}>
        <summary>{result.answersTitle}</summary>
        <AnswerList intake={intake} canChange={false} isFolded={isFolded} />
      </details>
    );
  }
  return (
    <section class="part" aria-labelledby="answers">
      <h2 id="answers">{result.answersTitle}</h2>
      <p>{isSent(intake) ? result.answersSent : result.answersLead}</p>
      <AnswerList intake={intake} canChange />
    </section>
  );
}

/** The replies that have arrived so far. */
function knownOf({ triage, diagnosis }: Assessment, redFlags: Part<RedFlags>) {
  return {
    redFlags: valueOf(redFlags),
    triage: lastOf(triage),
    made: diagnosis === undefined ? undefined : valueOf(diagnosis),
  };
}

const valueOf = <Value,>(part: Part<Value>): Value | undefined =>
  part.state === 'answered' ? part.value : undefined;

const notesOf = ({ redFlags, triage, made }: ReturnType<typeof knownOf>, end: AskedQuestion): Notes[] =>
  [made?.findings, made?.findings.image_validity, redFlags, triage, end].filter(
    (reply) => reply !== undefined,
  );

function openSession(intake: IntakeSession, { emergency }: NextQuestion): AssessmentSession {
  const { steps, diagnosis, urgent } = intake.intake.value;
  async function diagnoseOnce(
    anamnesis: PartialAnamnesis,
    signal: AbortSignal,
  ): Promise<Outcome<StoredDiagnosis>> {
    const apply = (event: IntakeEvent) => {
      if (intake.intake.value.steps === steps) intake.apply(event);
    };
    const { askedDiagnosis: before } = intake.intake.value;
    const asked =
      before?.language === language.value ? before : { key: crypto.randomUUID(), language: language.value };
    if (asked !== before) apply({ type: 'diagnosis-asked', asked });
    const outcome = await diagnoseFirstPhoto(anamnesis, asked.key, signal);
    if (!outcome.ok) {
      if (outcome.failure.code === 'idempotency_key_reused') apply({ type: 'diagnosis-abandoned' });
      return outcome;
    }
    const stored = { findings: outcome.value, language: asked.language, madeAt: new Date().toISOString() };
    apply({ type: 'diagnosed', diagnosis: stored });
    return { ok: true, value: stored };
  }
  const session = openAssessment(
    stateOf(intake.intake.value).anamnesis,
    emergency === undefined ? knownDiagnosis(diagnosis) : undefined,
    { findRedFlags, triage, diagnose: diagnoseOnce },
    urgent,
  );
  sessions.set(steps, session);
  return session;
}

const knownDiagnosis = (diagnosis: StoredDiagnosis | undefined): Part<StoredDiagnosis> =>
  diagnosis === undefined ? { state: 'waiting' } : { state: 'answered', value: diagnosis };

/** The close-up, which is the first photo asked for. The gateway stores it, so the portal need not. */
async function diagnoseFirstPhoto(anamnesis: PartialAnamnesis, key: string, signal: AbortSignal) {
  const photo = await loadPhoto(anamnesis.images?.[0]?.url ?? '', 'original', signal);
  return photo.ok ? await diagnose(photo.value as Blob, anamnesis, key, signal) : photo;
}
