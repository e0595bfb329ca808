import type { Profile } from 'dermagate-client';
import type { TargetedInputEvent } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Failure } from '../../gateway/failure.ts';
import { changeProfile } from '../../gateway/account-calls.ts';
import { fieldText } from '../../i18n/field-text.ts';
import { texts } from '../../i18n/language.ts';
import { useOnce } from '../../query/use-once.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { accountTexts } from '../i18n/texts.ts';
import { SavedNotice } from './saved-notice.tsx';

const genders = ['female', 'male', 'other', 'prefer_not_to_say'] as const;
type Gender = NonNullable<Profile['gender']>;

interface PersonFormProps {
  profile: Profile;
  onSaved: (changed: Profile) => void;
  /** Reads the profile again after another device has changed it. */
  onConflict: () => void;
}

/** Names, birth date and gender of a person; only what was changed is sent. */
export function PersonForm({ profile, onSaved, onConflict }: PersonFormProps) {
  const { cases } = texts.value;
  const t = accountTexts.value;
  const [entries, setEntries] = useState(() => entriesOf(profile));
  const [isSaved, setSaved] = useState(false);
  const [dateProblem, setDateProblem] = useState<DateProblem>();
  const { busy, failure, run } = useOnce();
  const latest = useRef(entries);
  latest.current = entries;
  const shown = useRef(profile);
  useEffect(() => {
    // What another device has changed, beside what was entered here.
    const before = entriesOf(shown.current);
    shown.current = profile;
    setEntries((now) => ({ ...entriesOf(profile), ...differencesOf(before, now) }));
  }, [profile.version]);
  const enter = (change: Partial<Entries>) => {
    setSaved(false);
    setDateProblem(undefined);
    setEntries({ ...entries, ...change });
  };

  function save(form: HTMLFormElement) {
    const date = form.elements.namedItem('birth_date') as HTMLInputElement;
    const problem = dateProblemOf(date, profile);
    setDateProblem(problem);
    if (problem !== undefined) {
      setSaved(false);
      return date.focus();
    }
    const change = changesOf(profile, entries);
    if (Object.keys(change).length === 0) return setSaved(true);
    void run(
      () => changeProfile(profile.uuid, { ...change, version: profile.version }),
      (changed) => {
        // What was entered meanwhile stays, and is not saved yet.
        setSaved(Object.keys(changesOf(changed, latest.current)).length === 0);
        onSaved(changed);
      },
    );
  }

  return (
    <form
      noValidate
      aria-busy={busy}
      onSubmit={(event) => {
        event.preventDefault();
        save(event.currentTarget);
      }}
    >
      <Field
        label={cases.givenName}
        name="given_name"
        autocomplete="given-name"
        value={entries.given_name}
        onInput={(given_name) => enter({ given_name })}
        failure={failure}
      />
      <Field
        label={t.profile.familyName}
        name="family_name"
        autocomplete="family-name"
        value={entries.family_name}
        onInput={(family_name) => enter({ family_name })}
        failure={failure}
      />
      <Field
        label={cases.birthDate}
        name="birth_date"
        type="date"
        autocomplete="bday"
        value={entries.birth_date}
        onInput={(birth_date) => enter({ birth_date })}
        failure={failure}
        problem={dateProblem}
      />
      <label>
        {cases.gender}
        <select
          name="gender"
          value={entries.gender}
          onChange={({ currentTarget }) => enter({ gender: currentTarget.value as Gender | '' })}
        >
          {entries.gender === '' && <option value="">{t.profile.notStated}</option>}
          {entries.gender === 'unknown' && <option value="unknown">{t.profile.notStated}</option>}
          {genders.map((gender) => (
            <option key={gender} value={gender}>
              {cases.genders[gender]}
            </option>
          ))}
        </select>
      </label>
      {failure !== undefined && (
        <FailureNotice
          failure={failure}
          {...(failure.code === 'version_conflict' && { onRetry: onConflict })}
        />
      )}
      {isSaved && <SavedNotice>{t.saved}</SavedNotice>}
      <button type="submit" aria-busy={busy}>
        {t.save}
      </button>
    </form>
  );
}

interface Entries {
  given_name: string;
  family_name: string;
  birth_date: string;
  gender: Gender | '';
}

const entriesOf = ({ given_name, family_name, birth_date, gender }: Profile): Entries => ({
  given_name: given_name ?? '',
  family_name: family_name ?? '',
  birth_date: birth_date ?? '',
  gender: gender ?? '',
});

const differencesOf = (before: Entries, now: Entries): Partial<Entries> =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => before[name as keyof Entries] !== value));

type DateProblem = 'required' | 'invalid_date';

/** The value of an incomplete date, and of one such as 31 February, is empty. */
function dateProblemOf({ value, validity }: HTMLInputElement, profile: Profile): DateProblem | undefined {
  if (validity.badInput) return 'invalid_date';
  return value === '' && entriesOf(profile).birth_date !== '' ? 'required' : undefined;
}

/** An emptied name is removed; a birth date and a gender can only be replaced. */
function changesOf(profile: Profile, entries: Entries) {
  const before = entriesOf(profile);
  const given = entries.given_name.trim();
  const family = entries.family_name.trim();
  return {
    ...(given !== before.given_name && { given_name: given || null }),
    ...(family !== before.family_name && { family_name: family || null }),
    ...(entries.birth_date !== before.birth_date &&
      entries.birth_date !== '' && { birth_date: entries.birth_date }),
    ...(entries.gender !== '' && entries.gender !== before.gender && { gender: entries.gender }),
  };
}

interface FieldProps {
  label: string;
  name: string;
  type?: 'text' | 'date';
  autocomplete: 'given-name' | 'family-name' | 'bday';
  value: string;
  onInput: (value: string) => void;
  failure: Failure | undefined;
  /** Found here, before anything was sent. */
  problem?: DateProblem | undefined;
}

function Field({ label, name, type = 'text', autocomplete, value, onInput, failure, problem }: FieldProps) {
  const id = useId();
  const code = problem ?? failure?.fields[`/${name}`];
  const attributes = {
    id,
    name,
    autocomplete,
    value,
    'aria-invalid': code === undefined ? undefined : ('true' as const),
    'aria-describedby': code === undefined ? undefined : `${id}-error`,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => onInput(currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'date' ? (
        <input {...attributes} type="date" />
      ) : (
        <input {...attributes} type="text" dir="auto" maxLength={80} />
      )}
      {code !== undefined && (
        <p id={`${id}-error`} class="field-error">
          {fieldText(code, false)}
        </p>
      )}
    </div>
  );
}
