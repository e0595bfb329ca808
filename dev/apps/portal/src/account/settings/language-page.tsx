import type { Language, User } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { changeProfile, chooseStaffLanguage } from '../../gateway/account-calls.ts';
import { language, speak } from '../../i18n/language.ts';
import { languageNames, languages } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { accountTexts } from '../i18n/texts.ts';
import { AccountPage } from './account-page.tsx';
import { SavedNotice } from './saved-notice.tsx';
import { useProfiles } from '../people/use-profiles.ts';

/** The language of the portal here, and of mails and messages everywhere. */
export function LanguagePage({ user }: { user: User }) {
  const t = accountTexts.value.language;
  return (
    <AccountPage title={t.title} lead={t.lead}>
      {user.role === 'patient' ? <PatientLanguage /> : <LanguageForm store={chooseStaffLanguage} />}
    </AccountPage>
  );
}

function PatientLanguage() {
  const { profiles, failure, again, replace } = useProfiles();
  const own = profiles?.find(({ relation }) => relation === 'self');
  if (own === undefined)
    return failure === undefined ? <Loading /> : <FailureNotice failure={failure} onRetry={again} />;
  const store = async (choice: Language) => {
    const changed = await changeProfile(own.uuid, { language: choice, version: own.version });
    if (changed.ok) replace(changed.value);
    else if (changed.failure.code === 'version_conflict') again();
    return changed;
  };
  return <LanguageForm stored={own.language} store={store} />;
}

interface LanguageFormProps {
  stored?: Language | null;
  store: (choice: Language) => ReturnType<typeof changeProfile> | ReturnType<typeof chooseStaffLanguage>;
}

function LanguageForm({ stored, store }: LanguageFormProps) {
  const t = accountTexts.value;
  const [choice, setChoice] = useState<Language>(stored ?? language.value);
  const [isSaved, setSaved] = useState(false);
  const { busy, failure, run } = useOnce();
  const save = () => {
    const done = () => {
      speak(choice);
      setSaved(true);
    };
    void run<unknown>(() => store(choice), done);
  };
  return (
    <form
      aria-busy={busy}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <fieldset>
        <legend class="visually-hidden">{t.language.title}</legend>
        {languages.map((code) => (
          <label key={code} class="inline">
            <input
              type="radio"
              name="language"
              value={code}
              checked={choice === code}
              onChange={() => {
                setSaved(false);
                setChoice(code);
              }}
            />
            <span lang={code}>{languageNames[code]}</span>
          </label>
        ))}
      </fieldset>
      {failure !== undefined && <FailureNotice failure={failure} />}
      {isSaved && <SavedNotice>{t.saved}</SavedNotice>}
      <button type="submit" aria-busy={busy}>
        {t.save}
      </button>
    </form>
  );
}
