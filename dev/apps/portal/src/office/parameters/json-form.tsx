import type { OfficeParameters, ParametersChange } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import { replaceParameters } from '../../gateway/office-calls.ts';
import { Field } from '../../staff/field.tsx';
import { useProblems } from '../../staff/use-problems.ts';
import { useVersioned } from '../../staff/use-versioned.ts';
import { officeTexts } from '../i18n/texts.ts';
import { jsonOf } from './entry.ts';
import { ParametersForm } from './parameters-form.tsx';

type Visibility = NonNullable<ParametersChange['visibility']>;
const visibilities: readonly Visibility[] = ['internal', 'staff', 'authenticated', 'public'];

interface JsonFormProps {
  set: OfficeParameters;
  read: () => Promise<Outcome<OfficeParameters>>;
  onSaved: (set: OfficeParameters) => void;
}

type Values = Record<string, unknown>;
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values that only clients use, as one JSON object, with who may read them. */
export function JsonForm({ set, read, onSaved }: JsonFormProps) {
  const { parameters } = officeTexts.value;
  // The texts of `resources` have a schema, so that who may read them is settled.
  const isSettled = set.value_schema !== null;
  const form = useVersioned({
    entity: set,
    toDraft: ({ values, visibility }) => ({ text: JSON.stringify(values, null, 2), visibility }),
    read,
    write: ({ text, visibility }, { branch, sub_branch: sub, version }) =>
      replaceParameters(branch, sub, {
        values: JSON.parse(text) as Values,
        version,
        ...(!isSettled && { visibility }),
      }),
    onSaved,
  });
  const { draft, change } = form;
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
      {!isSettled && (
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
