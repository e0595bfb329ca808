import type { NewOffspring, Profile } from 'dermagate-client';
import { useRef, useState } from 'preact/hooks';
import { addProfile } from '../../gateway/case-calls.ts';
import { fieldText } from '../../i18n/field-text.ts';
import { texts } from '../../i18n/language.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { useStableKey } from '../../query/stable-key.ts';
import { useOnce } from '../../query/use-once.ts';

const relations = ['child', 'ward', 'other'] as const;
const genders = ['female', 'male', 'other', 'prefer_not_to_say'] as const;

interface Entries extends NewOffspring {
  given_name: string;
  guardian_confirmed: boolean;
}

const empty: Entries = {
  given_name: '',
  birth_date: '',
  gender: 'prefer_not_to_say',
  relation: 'child',
  guardian_confirmed: false,
};

interface AddPersonProps {
  onAdded: (profile: Profile, all: Profile[]) => void;
  /** Unfolded from the start, where there is no person to choose. */
  isOpen?: boolean;
}

/** Adds a person whom the account acts for. Not a form: it stands within one. Enter in one of its fields adds the person. */
export function AddPerson({ onAdded, isOpen = false }: AddPersonProps) {
  const { cases, fields } = texts.value;
  const [entries, setEntries] = useState(empty);
  const { busy, failure, run, show } = useOnce();
  const keyFor = useStableKey();
  const place = useRef<HTMLDetailsElement>(null);
  const enter = (change: Partial<Entries>) => setEntries({ ...entries, ...change });

  function add() {
    const { given_name: name, ...others } = entries;
    if (others.birth_date === '')
      return show({ code: 'validation_error', fields: { '/birth_date': 'required' } });
    const body = { ...others, ...(name.trim() !== '' && { given_name: name.trim() }) };
    void run(
      () => addProfile(body, keyFor(body)),
      ({ profile, profiles }) => {
        setEntries(empty);
        fold();
        onAdded(profile, profiles);
      },
    );
  }

  /** The person stands above: below, empty fields would look as if nothing had been added. */
  function fold() {
    if (place.current === null) return;
    place.current.open = false;
    place.current.querySelector('summary')?.focus();
  }

  /** The browser would submit the form around it: a case for the person who is chosen there. */
  function addOnEnter(event: KeyboardEvent) {
    const { localName } = event.target as HTMLElement;
    if (event.key !== 'Enter' || event.isComposing || localName !== 'input') return;
    event.preventDefault();
    add();
  }

  const birthDateError = failure?.fields['/birth_date'];
  return (
    <details class="add-person" ref={place} open={isOpen} onKeyDown={addOnEnter}>
      <summary>{cases.addPerson}</summary>
      <label>
        {cases.relationLabel}
        <select
          name="relation"
          value={entries.relation}
          onChange={({ currentTarget }) =>
            enter({ relation: currentTarget.value as (typeof relations)[number] })
          }
        >
          {relations.map((relation) => (
            <option key={relation} value={relation}>
              {cases.relation[relation]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {cases.givenName}
        <input
          name="given_name"
          dir="auto"
          maxLength={80}
          value={entries.given_name}
          onInput={({ currentTarget }) => enter({ given_name: currentTarget.value })}
        />
      </label>
      <label>
        {cases.birthDate}
        <input
          name="birth_date"
          type="date"
          value={entries.birth_date}
          aria-invalid={birthDateError === undefined ? undefined : 'true'}
          onInput={({ currentTarget }) => enter({ birth_date: currentTarget.value })}
        />
      </label>
      {birthDateError !== undefined && (
        <p class="field-error">
          {birthDateError === 'required' ? fields.required : fieldText(birthDateError, false)}
        </p>
      )}
      <label>
        {cases.gender}
        <select
          name="gender"
          value={entries.gender}
          onChange={({ currentTarget }) => enter({ gender: currentTarget.value as (typeof genders)[number] })}
        >
          {genders.map((gender) => (
            <option key={gender} value={gender}>
              {cases.genders[gender]}
            </option>
          ))}
        </select>
      </label>
      <label class="inline">
        <input
          type="checkbox"
          name="guardian"
          checked={entries.guardian_confirmed}
          onChange={({ currentTarget }) => enter({ guardian_confirmed: currentTarget.checked })}
        />
        {cases.guardian}
      </label>
      {failure !== undefined && <FailureNotice failure={failure} />}
      <button type="button" class="outline" aria-busy={busy} onClick={add}>
        {cases.add}
      </button>
    </details>
  );
}
