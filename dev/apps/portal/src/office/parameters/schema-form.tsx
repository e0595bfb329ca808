import type { OfficeParameters } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import { replaceParameters } from '../../gateway/office-calls.ts';
import { fill } from '../../i18n/texts.ts';
import type { FieldProblem } from '../../staff/error-summary.tsx';
import { CheckField } from '../../staff/field.tsx';
import { useProblems } from '../../staff/use-problems.ts';
import { useVersioned } from '../../staff/use-versioned.ts';
import { officeTexts } from '../i18n/texts.ts';
import { valueOf } from './entry.ts';
import { keyName, shownValue } from './names.ts';
import { ParametersForm } from './parameters-form.tsx';
import { problemText } from './problem-text.ts';
import { draftOf, type Kinds, ownValues, type SetDraft } from './set-draft.ts';
import { ValueField } from './value-field.tsx';
import { type JsonSchema, kindOf, type ValueKind } from './value-kind.ts';

interface SchemaFormProps {
  set: OfficeParameters;
  schema: JsonSchema;
  read: () => Promise<Outcome<OfficeParameters>>;
  onSaved: (set: OfficeParameters) => void;
}

/** A form made from the JSON Schema of the values: per key the default or a value of one's own. */
export function SchemaForm({ set, schema, read, onSaved }: SchemaFormProps) {
  const { parameters } = officeTexts.value;
  const kinds = Object.entries(schema.properties ?? {}).map(([key, each]): [string, ValueKind] => [
    key,
    kindOf(each, schema.$defs ?? {}),
  ]);
  const form = useVersioned<OfficeParameters, SetDraft>({
    about: `parameters ${set.branch}/${set.sub_branch}`,
    entity: set,
    toDraft: (current) => draftOf(kinds, current),
    read,
    write: (draft, current, base) => {
      const { branch, sub_branch: sub, version } = current;
      return replaceParameters(branch, sub, { values: ownValues(kinds, draft, base, current), version });
    },
    onSaved,
  });
  const { draft, base, change } = form;
  const { problems, at, check } = useProblems(
    form.failure,
    Object.fromEntries(kinds.map(([key]) => [`/values/${key}`, { id: key, label: keyName(key) }])),
  );
  const checkEntries = () => check(problemsIn(kinds, draft));
  return (
    <ParametersForm form={form} problems={problems} check={checkEntries}>
      {kinds.map(([key, kind]) => {
        const { isOwn, entry } = draft[key] ?? { isOwn: false, entry: null };
        return (
          <div key={key} class="parameter">
            <div class="parameter-head">
              <h2>{keyName(key)}</h2>
              <code dir="ltr">{key}</code>
              {base.ignored.includes(key) && <span class="badge bad">{parameters.ignored}</span>}
            </div>
            <div class="parameter-value">
              <CheckField
                label={
                  <>
                    {parameters.isOwn}
                    <span class="visually-hidden"> – {keyName(key)}</span>
                  </>
                }
                checked={isOwn}
                onChange={(own) => change({ [key]: { isOwn: own, entry } })}
              />
              {isOwn ? (
                <ValueField
                  id={key}
                  label={keyName(key)}
                  kind={kind}
                  entry={entry}
                  error={at(key)}
                  onChange={(changed) => change({ [key]: { isOwn, entry: changed } })}
                />
              ) : (
                <p class="muted">
                  {fill(parameters.default, { value: shownValue(kind, base.defaults[key]) })}
                </p>
              )}
            </div>
          </div>
        );
      })}
    </ParametersForm>
  );
}

function problemsIn(kinds: Kinds, draft: SetDraft): FieldProblem[] {
  return kinds.flatMap(([key, kind]) => {
    const { isOwn, entry } = draft[key] ?? { isOwn: false, entry: null };
    const parsed = isOwn ? valueOf(kind, entry) : undefined;
    if (parsed === undefined || parsed.ok) return [];
    return [{ field: key, text: `${keyName(key)}: ${problemText(parsed.problem)}` }];
  });
}
