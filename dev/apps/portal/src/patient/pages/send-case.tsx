import type { MobileCase } from 'dermagate-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ConsentBox } from '../cases/consent-box.tsx';
import { contentOf, likelyPerson } from '../cases/case-content.ts';
import { PersonChoice } from '../cases/person-choice.tsx';
import { sendCase } from '../cases/send-case.ts';
import { noteCase } from '../cases/own-cases.ts';
import { draftSaver } from '../draft/current-draft.ts';
import { DraftNote } from '../draft/draft-note.tsx';
import { isOfDraft } from '../draft/draft-saver.ts';
import { useStableKey } from '../../query/stable-key.ts';
import { useLoaded } from '../../query/use-loaded.ts';
import { useOnce } from '../../query/use-once.ts';
import { createCase, listProfiles, readCase, readConsent, updateCase } from '../../gateway/case-calls.ts';
import { language, texts } from '../../i18n/language.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { FlagBox } from '../result/red-flags-part.tsx';
import { urgentFlagsOf } from '../result/urgent-flags.tsx';
import { go } from '../../session/route.ts';
import { EmergencyNotice } from '../../ui/emergency-notice.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

/** The last step before a doctor: for whom, and the consent. */
export function SendCasePage({ intake }: { intake: IntakeSession }) {
  const { cases, home } = texts.value;
  const profiles = useLoaded((signal) => listProfiles(signal), intake);
  const consent = useLoaded(readConsent, intake);
  const failed = [profiles, consent].find(({ outcome }) => outcome?.ok === false);
  const flags = urgentFlagsOf(intake);
  const isLoaded = profiles.outcome?.ok && consent.outcome?.ok;
  return (
    <section class="card">
      <PageTitle about="send">{cases.sendTitle}</PageTitle>
      <p class="lead">{cases.sendLead}</p>
      {/* Those whom the result has asked to call come here too, and have not called yet. */}
      {flags?.urgency === 'emergency' ? (
        <FlagBox redFlags={flags} />
      ) : (
        <EmergencyNotice text={home.emergency} />
      )}
      {failed?.outcome?.ok === false && (
        <FailureNotice
          failure={failed.outcome.failure}
          note={texts.value.intake.answersSafe}
          onRetry={failed.again}
        />
      )}
      {!isLoaded && failed === undefined && <Loading />}
      {profiles.outcome?.ok && consent.outcome?.ok && (
        <SendForm
          intake={intake}
          profiles={profiles.outcome.value.profiles}
          onProfiles={(all) => profiles.set({ profiles: all })}
          consent={consent.outcome.value}
          onConsentOutdated={consent.again}
        />
      )}
    </section>
  );
}

interface SendFormProps {
  intake: IntakeSession;
  profiles: Parameters<typeof PersonChoice>[0]['profiles'];
  onProfiles: Parameters<typeof PersonChoice>[0]['onProfiles'];
  consent: Parameters<typeof ConsentBox>[0]['consent'];
  onConsentOutdated: () => void;
}

function SendForm({ intake, profiles, onProfiles, consent, onConsentOutdated }: SendFormProps) {
  const { cases, common, fields, intake: words } = texts.value;
  const form = useRef<HTMLFormElement>(null);
  const { anamnesis } = contentOf(intake.intake.value);
  const isHeld = intake.intake.value.case?.held === true;
  const [person, setPerson] = useState(() => likelyPerson(intake.intake.value, profiles)?.uuid);
  const [accepted, setAccepted] = useState<string>();
  const [refused, setRefused] = useState(false);
  const { busy, failure, run, show } = useOnce();
  const keyFor = useStableKey();
  // The box is unchecked when the text has changed meanwhile.
  const isAccepted = accepted === consent.version;
  const hasConflict = draftSaver.value?.state.value.state === 'conflict';
  useEffect(() => {
    if (failure?.code === 'consent_outdated') onConsentOutdated();
    if (failure !== undefined && isOfDraft(failure)) void draftSaver.value?.recheck();
  }, [failure]);
  useEffect(() => {
    // The patient has chosen which answers go on: these can be sent.
    if (!hasConflict) show(undefined);
  }, [hasConflict]);

  /** Later answers, such as those of a draft, are about the same person; the owner is so without a choice. */
  function noteChoice() {
    const { person: before, personLater } = intake.intake.value;
    const chosen = profiles.find(({ uuid }) => uuid === person);
    if (chosen === undefined || (before === undefined && personLater !== true)) return;
    intake.apply({ type: 'person-chosen', person: { uuid: chosen.uuid, relation: chosen.relation } });
  }

  function submit(isDraft: boolean) {
    setRefused(!isDraft && !isAccepted);
    if (person === undefined && !isHeld)
      return show({ code: 'validation_error', fields: { '/patient_uuid': 'required' } });
    if (!isDraft && !isAccepted) {
      form.current?.querySelector<HTMLElement>('input[name=consent]')?.focus();
      return;
    }
    noteChoice();
    const choice = {
      personUuid: person,
      consent: isDraft ? undefined : consent.version,
      language: language.value,
    };
    const remember = (known: NonNullable<typeof intake.intake.value.case>) =>
      intake.apply({ type: 'case-known', case: known });
    const saver = draftSaver.value;
    const send = () =>
      sendCase(intake.intake.value, choice, { createCase, updateCase, readCase, keyFor, remember });
    void run(
      () => (saver === undefined ? send() : saver.exclusively(send)),
      (made: MobileCase) => {
        noteCase(made);
        go(`/cases/${made.uuid}`);
      },
    );
  }

  const isSentAlready = failure?.code === 'client_case_id_reused' || failure?.code === 'case_state_conflict';
  return (
    <form
      ref={form}
      noValidate
      aria-busy={busy}
      onSubmit={(event) => {
        event.preventDefault();
        submit(false);
      }}
    >
      {!isHeld && (
        <PersonChoice
          profiles={profiles}
          anamnesis={anamnesis}
          chosen={person}
          onChoose={setPerson}
          onProfiles={onProfiles}
        />
      )}
      {failure?.fields['/patient_uuid'] !== undefined && <p class="field-error">{fields.required}</p>}
      <ConsentBox
        consent={consent}
        accepted={isAccepted}
        onChange={(yes) => setAccepted(yes ? consent.version : undefined)}
        error={refused && !isAccepted ? cases.consentMissing : undefined}
      />
      {failure !== undefined && <FailureNotice failure={failure} note={words.answersSafe} />}
      {hasConflict && <DraftNote intake={intake} />}
      <div class="actions">
        <button type="button" class="secondary outline" onClick={() => go('/result')}>
          {common.back}
        </button>
        {isSentAlready ? (
          <button type="button" onClick={() => go('/cases')}>
            {cases.title}
          </button>
        ) : (
          <>
            {!isHeld && (
              <button type="button" class="secondary outline" aria-busy={busy} onClick={() => submit(true)}>
                {cases.keepDraft}
              </button>
            )}
            <button type="submit" aria-busy={busy}>
              {cases.send}
            </button>
          </>
        )}
      </div>
    </form>
  );
}
