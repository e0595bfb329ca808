import type { Language, PhysicianDetails } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import { changePhysician } from '../../gateway/office-calls.ts';
import { texts } from '../../i18n/language.ts';
import { fill, languageNames, languages } from '../../i18n/texts.ts';
import { CheckField, Field } from '../../staff/field.tsx';
import { FormProblems } from '../../staff/form-problems.tsx';
import { SaveRow } from '../../staff/save-row.tsx';
import { useProblems } from '../../staff/use-problems.ts';
import { useVersioned } from '../../staff/use-versioned.ts';
import { LanguageChoice } from '../../staff/language-choice.tsx';
import { officeTexts } from '../i18n/texts.ts';
import { changeOfDraft, draftOfPhysician } from './physician-draft.ts';

interface PhysicianFormProps {
  physician: PhysicianDetails;
  read: () => Promise<Outcome<PhysicianDetails>>;
  onSaved: (physician: PhysicianDetails) => void;
}

const LIMITS = { min: 1, max: 20 };

/** What an admin may change about a physician. */
export function PhysicianForm({ physician, read, onSaved }: PhysicianFormProps) {
  const { physicians } = officeTexts.value;
  const { draft, change, save, busy, failure, isSaved, takeTheirs, keepMine } = useVersioned({
    entity: physician,
    toDraft: draftOfPhysician,
    read,
    write: (entries, base) => changePhysician(changeOfDraft(entries, base)),
    onSaved,
  });
  const { problems, at, check } = useProblems(failure, {
    '/settings/display_name': { id: 'display-name', label: physicians.name },
    '/settings/title': { id: 'title', label: physicians.nameTitle },
    '/private_pool': { id: 'pool', label: physicians.privatePool },
    '/admin_settings/max_open_cases': { id: 'max-open', label: physicians.maxOpen },
  });
  const submit = (event: Event) => {
    event.preventDefault();
    const most = Number(draft.maxOpenCases);
    const fits = Number.isInteger(most) && most >= LIMITS.min && most <= LIMITS.max;
    const range = { min: String(LIMITS.min), max: String(LIMITS.max) };
    const text = `${physicians.maxOpen}: ${fill(texts.value.intake.enterBetween, range)}`;
    if (check(fits ? [] : [{ field: 'max-open', text }])) void save();
  };
  return (
    <form noValidate onSubmit={submit}>
      <FormProblems
        failure={failure}
        problems={problems}
        onTakeTheirs={() => void takeTheirs()}
        onKeepMine={() => void keepMine()}
      />
      <Field id="display-name" label={physicians.name} error={at('display-name')}>
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            dir="auto"
            maxLength={120}
            value={draft.displayName}
            onInput={({ currentTarget }) => change({ displayName: currentTarget.value })}
          />
        )}
      </Field>
      <Field id="title" label={physicians.nameTitle} error={at('title')}>
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            dir="auto"
            maxLength={60}
            value={draft.title}
            onInput={({ currentTarget }) => change({ title: currentTarget.value })}
          />
        )}
      </Field>
      <Field id="language" label={physicians.ownLanguage} hint={physicians.ownLanguageHint}>
        {(attributes) => (
          <select
            {...attributes}
            value={draft.language}
            onChange={({ currentTarget }) => change({ language: currentTarget.value as Language })}
          >
            {languages.map((code) => (
              <option key={code} value={code} lang={code}>
                {languageNames[code]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <LanguageChoice
        legend={physicians.reviewLanguages}
        hint={physicians.reviewLanguagesHint}
        chosen={draft.reviewLanguages}
        onChange={(reviewLanguages) => change({ reviewLanguages })}
      />
      <Field id="pool" label={physicians.privatePool} hint={physicians.poolHint} error={at('pool')}>
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            dir="ltr"
            autocapitalize="none"
            maxLength={64}
            value={draft.pool}
            onInput={({ currentTarget }) => change({ pool: currentTarget.value })}
          />
        )}
      </Field>
      <Field id="max-open" label={physicians.maxOpen} hint={physicians.maxOpenHint} error={at('max-open')}>
        {(attributes) => (
          <input
            {...attributes}
            type="number"
            inputMode="numeric"
            {...LIMITS}
            value={draft.maxOpenCases}
            onInput={({ currentTarget }) => change({ maxOpenCases: currentTarget.value })}
          />
        )}
      </Field>
      <fieldset>
        <legend class="visually-hidden">{physicians.settings}</legend>
        <CheckField
          label={physicians.generalPool}
          checked={draft.generalPool}
          onChange={(generalPool) => change({ generalPool })}
        />
        <CheckField
          label={physicians.canSign}
          checked={draft.canSign}
          onChange={(canSign) => change({ canSign })}
        />
        <CheckField
          label={physicians.auditExempt}
          checked={draft.auditExempt}
          onChange={(auditExempt) => change({ auditExempt })}
        />
      </fieldset>
      <SaveRow busy={busy} isSaved={isSaved} />
    </form>
  );
}
