import type { CaseCreation, MobileCase } from 'dermagate-client';
import { useRef, useState } from 'preact/hooks';
import { cancelCase, createCase, listProfiles } from '../../gateway/case-calls.ts';
import { texts } from '../../i18n/language.ts';
import { go } from '../../session/route.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { CurrentConsent } from './current-consent.tsx';
import { PersonChoice } from './person-choice.tsx';
import { noteCase } from './own-cases.ts';
import { useStableKey } from '../../query/stable-key.ts';
import { useLoaded } from '../../query/use-loaded.ts';
import { useOnce } from '../../query/use-once.ts';

/**
 * Sends a minor's case again in the name of the child. The gateway never moves a submitted case to another person, so it
 * becomes a case of its own, and the held one is cancelled.
 */
export function GuardianForm({ shown }: { shown: MobileCase }) {
  const { cases, fields } = texts.value;
  const form = useRef<HTMLFormElement>(null);
  const profiles = useLoaded((signal) => listProfiles(signal), shown.uuid);
  const [person, setPerson] = useState<string>();
  const [accepted, setAccepted] = useState<string>();
  const [refused, setRefused] = useState(false);
  const { busy, failure, run } = useOnce();
  const keyFor = useStableKey();

  if (profiles.outcome === undefined) return <Loading />;
  if (!profiles.outcome.ok)
    return <FailureNotice failure={profiles.outcome.failure} onRetry={profiles.again} />;

  function send() {
    setRefused(true);
    if (person === undefined)
      return form.current?.querySelector<HTMLElement>('input[name=person], summary')?.focus();
    if (accepted === undefined)
      return form.current?.querySelector<HTMLElement>('input[name=consent]')?.focus();
    const body = bodyOf(shown, person, accepted);
    void run(
      () => createCase(body, keyFor(body)),
      (made) => {
        // It expires where this fails.
        const { uuid, version } = shown;
        void cancelCase(uuid, version, crypto.randomUUID());
        noteCase(made);
        go(`/cases/${made.uuid}`);
      },
    );
  }

  return (
    <form
      ref={form}
      class="reply"
      noValidate
      aria-busy={busy}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <p>{cases.guardianLead}</p>
      <PersonChoice
        profiles={profiles.outcome.value.profiles}
        anamnesis={asGuardian(shown)}
        chosen={person}
        onChoose={setPerson}
        onProfiles={(all) => profiles.set({ profiles: all })}
      />
      {refused && person === undefined && (
        <p class="field-error" role="alert">
          {fields.required}
        </p>
      )}
      <CurrentConsent
        accepted={accepted}
        onChange={setAccepted}
        error={refused && accepted === undefined ? cases.consentMissing : undefined}
        failure={failure}
      />
      {failure !== undefined && <FailureNotice failure={failure} />}
      <button type="submit" aria-busy={busy}>
        {cases.guardianSend}
      </button>
    </form>
  );
}

function asGuardian({ anamnesis }: MobileCase): CaseCreation['anamnesis'] {
  const { images: _named, ...answers } = anamnesis;
  return { ...answers, reporter: 'parent_guardian' };
}

/** However often it is tried, there is one new case. */
const bodyOf = (shown: MobileCase, person: string, version: string): CaseCreation => ({
  client_case_id: `guardian-${shown.uuid}`,
  language: shown.language,
  anamnesis: asGuardian(shown),
  images: shown.images.map(({ name, kind, location_index: place }) => ({
    name,
    ...(kind !== null && { kind }),
    ...(place !== null && { location_index: place }),
  })),
  patient_uuid: person,
  consent: { version, accepted: true },
  submit: true,
});
