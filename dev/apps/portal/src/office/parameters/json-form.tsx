import type { OfficeParameters } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import { replaceParameters } from '../../gateway/office-calls.ts';
import { Field } from '../../staff/field.tsx';
import { useProblems } from '../../staff/use-problems.ts';
import { useVersioned } from '../../staff/use-versioned.ts';
import { officeTexts } from '../i18n/texts.ts';
import { jsonOf } from './entry.ts';
import { ParametersForm } from './parameters-form.tsx';
import { changeOfJson, isSettled, jsonDraftOf, type Visibility } from './set-draft.ts';

const visibilities: readonly Visibility[] = ['internal', 'staff', 'authenticated', 'public'];

interface JsonFormProps {
  set: OfficeParameters;
  read: () => Promise<Outcome<OfficeParameters>>;
  onSaved: (set: OfficeParameters) => void;
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values that only clients use, as one JSON object, with who may read them. */
export function JsonForm({ set, read, onSaved }: JsonFormProps) {
  const { parameters } = officeTexts.value;
  const form = useVersioned({
    about: `values ${set.branch}/${set.sub_branch}`,
    entity: set,
    toDraft: jsonDraftOf,
    read,
    write: (entries, current, base) =>
      replaceParameters(current.branch, current.sub_branch, changeOfJson(entries, base, current)),
    onSaved,
  });
  const { draft, base, change } = form;
  const { problems, at, check } = useProblems(form.failure, {
    '/values': { id: 'values', label: parameters.values },
    '/visibility': { id: 'visibility', label: parameters.visibility },
  });
  const checkEntries = () => {
    const parsed = jsonOf(draft.text);
    const fits = parsed.ok && isObject(parsed.value);
    const text = `${parameters.values}: ${parameters.notJson}`;
    return check(fits ? [] : [{ field: 'values', text }]);
  };
  return (
    <ParametersForm form={form} problems={problems} check={checkEntries}>
      <Field id="values" label={parameters.values} hint={parameters.valuesHint} error={at('values')}>
        {(attributes) => (
          <textarea
            {...attributes}
            class="json"
            dir="ltr"
            rows={16}
            spellcheck={false}
            value={draft.text}
            onInput={({ currentTarget }) => change({ text: currentTarget.value })}
          />
        )}
      </Field>
      {!isSettled(base) && (
        <Field id="visibility" label={parameters.visibility} error={at('visibility')}>
          {(attributes) => (
            <select
              {...attributes}
              value={draft.visibility}
              onChange={({ currentTarget }) => change({ visibility: currentTarget.value as Visibility })}
            >
              {visibilities.map((each) => (
                <option key={each} value={each}>
                  {parameters.visibilities[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </ParametersForm>
  );
}
