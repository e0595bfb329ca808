import type { NextQuestion, PartialAnamnesis } from 'dermagate-client';
import { useEffect, useMemo } from 'preact/hooks';
import { diagnose, findRedFlags, loadPhoto, triage } from '../gateway/gateway.ts';
import { dateAndTime } from '../i18n/format.ts';
import { language, texts } from '../i18n/language.ts';
import { fill } from '../i18n/texts.ts';
import { stateOf } from '../intake/intake.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { failureToShow, redFlagsOf } from '../result/assessment.ts';
import { openAssessment } from '../result/assessment-session.ts';
import { DiagnosisPart } from '../result/diagnosis-part.tsx';
import { RedFlagsPart } from '../result/red-flags-part.tsx';
import { TriagePart } from '../result/triage-part.tsx';
import { go } from '../session/route.ts';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { PageTitle } from '../ui/page-title.tsx';

/** @param end of the questionnaire: regular, or because of an emergency. */
export function ResultPage({ intake, end }: { intake: IntakeSession; end: NextQuestion }) {
  const { common, intake: words, result } = texts.value;
  const { anamnesis } = useMemo(() => stateOf(intake.intake.value), [intake.intake.value]);
  const session = useMemo(
    () => openAssessment(anamnesis, end, { findRedFlags, triage, diagnose: diagnoseFirstPhoto }),
    // Not by `end`, which comes again in another language: then this session asks for everything once more.
    [anamnesis],
  );
  useEffect(() => {
    session.ask();
    return session.stop;
  }, [session, language.value]);
  const made = useMemo(() => new Date(), [session]);

  const assessment = session.assessment.value;
  const redFlags = redFlagsOf(assessment);
  // What to do is said by then, and "could not be determined" would only take away from it.
  const isEmergency = redFlags.state === 'answered' && redFlags.value.urgency === 'emergency';
  const failure = failureToShow(assessment);
  const change = () => {
    intake.apply({ type: 'went-back' });
    go('/intake');
  };
  const startAgain = () => {
    intake.apply({ type: 'started-again' });
    go('/');
  };
  return (
    <article class="card result">
      <PageTitle about="result">{result.title}</PageTitle>
      <RedFlagsPart part={redFlags} />
      {end.emergency !== undefined && <p>{result.emergencyLead}</p>}
      {failure !== undefined && (
        <section aria-label={result.failedTitle}>
          <FailureNotice failure={failure} note={words.kept} onRetry={session.retry} />
        </section>
      )}
      {!(isEmergency && assessment.triage.state === 'failed') && <TriagePart part={assessment.triage} />}
      {assessment.diagnosis !== undefined && (
        <DiagnosisPart part={assessment.diagnosis} photo={anamnesis.images?.[0]?.url} />
      )}
      <p class="notice disclaimer">{common.disclaimer}</p>
      <p class="small">{fill(result.made, { date: dateAndTime(made) })}</p>
      <div class="actions">
        <button type="button" class="secondary outline" onClick={change}>
          {result.changeAnswers}
        </button>
        <button type="button" class="secondary outline" onClick={startAgain}>
          {result.again}
        </button>
        <button type="button" onClick={() => print()}>
          {result.print}
        </button>
      </div>
    </article>
  );
}

/** The close-up, which is asked for first. The gateway has it, so that it need not be kept here. */
async function diagnoseFirstPhoto(anamnesis: PartialAnamnesis, signal: AbortSignal) {
  const photo = await loadPhoto(anamnesis.images?.[0]?.url ?? '', 'original', signal);
  return photo.ok ? await diagnose(photo.value as Blob, anamnesis, signal) : photo;
}
