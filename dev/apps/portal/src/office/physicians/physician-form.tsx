import type { PhysicianDetails } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import { changePhysician } from '../../gateway/office-calls.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { EntryField } from '../../staff/entry-field.tsx';
import { CheckField, Field } from '../../staff/field.tsx';
import { useProblems } from '../../staff/use-problems.ts';
import { useVersioned } from '../../staff/use-versioned.ts';
import { LanguageChoice } from '../../staff/language-choice.tsx';
import { LanguageSelect } from '../../staff/language-select.tsx';
import { VersionedForm } from '../../staff/versioned-form.tsx';
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
  const form = useVersioned({
    about: `physician ${physician.uuid}`,
    entity: physician,
    toDraft: draftOfPhysician,
    read,
    write: (entries, current, base) => changePhysician(changeOfDraft(entries, base, current)),
    onSaved,
  });
  const { draft, change } = form;
  const { problems, at, check } = useProblems(form.failure, {
    '/settings/display_name': { id: 'display-name', label: physicians.name },
    '/settings/title': { id: 'title', label: physicians.nameTitle },
    '/private_pool': { id: 'pool', label: physicians.privatePool },
    '/admin_settings/max_open_cases': { id: 'max-open', label: physicians.maxOpen },
  });
  const checkRange = () => {
    const most = Number(draft.maxOpenCases);
    const fits = Number.isInteger(most) && most >= LIMITS.min && most <= LIMITS.max;
    const range = { min: String(LIMITS.min), max: String(LIMITS.max) };
    const text = `${physicians.maxOpen}: ${fill(texts.value.intake.enterBetween, range)}`;
    return check(fits ? [] : [{ field: 'max-open', text }]);
  };
  return (
    <VersionedForm form={form} problems={problems} check={checkRange}>
      <EntryField
        id="display-name"
        label={physicians.name}
        error={at('display-name')}
        maxLength={120}
        value={draft.displayName}
        onChange={(displayName) => change({ displayName })}
      />
      <EntryField
        id="title"
        label={physicians.nameTitle}
        error={at('title')}
        maxLength={60}
        value={draft.title}
        onChange={(title) => change({ title })}
      />
      <LanguageSelect
        label={physicians.ownLanguage}
        hint={physicians.ownLanguageHint}
        value={draft.language}
        onChange={(language) => change({ language })}
      />
      <LanguageChoice
        legend={physicians.reviewLanguages}
        hint={physicians.reviewLanguagesHint}
        chosen={draft.reviewLanguages}
        onChange={(reviewLanguages) => change({ reviewLanguages })}
      />
      <EntryField
        id="pool"
        label={physicians.privatePool}
        hint={physicians.poolHint}
        error={at('pool')}
        isCode
        maxLength={64}
        value={draft.pool}
        onChange={(pool) => change({ pool })}
      />
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
    </VersionedForm>
  );
}
