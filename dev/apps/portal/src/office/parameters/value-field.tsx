import { CheckField, type ControlAttributes, Field } from '../../staff/field.tsx';
import { staffTexts } from '../../staff/i18n/texts.ts';
import { officeTexts } from '../i18n/texts.ts';
import { emptyParts, type Entry, textOf } from './entry.ts';
import { optionName, partName } from './names.ts';
import { rangeText } from './problem-text.ts';
import type { PartsKind, ValueKind } from './value-kind.ts';

interface ValueFieldProps {
  id: string;
  label: string;
  kind: ValueKind;
  entry: Entry;
  error?: string | undefined;
  onChange: (entry: Entry) => void;
}

/** The control for one value, by what its schema asks for. */
export function ValueField({ id, label, kind, entry, error, onChange }: ValueFieldProps) {
  const { parameters } = officeTexts.value;
  if (kind.kind === 'boolean') {
    return <CheckField id={id} label={label} checked={entry === true} onChange={onChange} />;
  }
  if (kind.kind === 'choices') {
    const chosen = entry as readonly string[];
    const toggle = (option: string, isChosen: boolean) =>
      onChange(kind.options.filter((each) => (each === option ? isChosen : chosen.includes(each))));
    return (
      <fieldset id={id} tabIndex={-1}>
        <legend>{label}</legend>
        {error !== undefined && <p class="field-error">{error}</p>}
        {kind.options.map((option) => (
          <CheckField
            key={option}
            label={optionName(option)}
            checked={chosen.includes(option)}
            onChange={(isChosen) => toggle(option, isChosen)}
          />
        ))}
      </fieldset>
    );
  }
  if (kind.kind === 'parts') {
    return <Parts id={id} label={label} kind={kind} entry={entry} error={error} onChange={onChange} />;
  }
  const hint =
    kind.kind === 'number'
      ? rangeText(kind)
      : kind.kind === 'list'
        ? parameters.listHint
        : kind.kind === 'json'
          ? parameters.jsonHint
          : undefined;
  return (
    <Field id={id} label={label} error={error} {...(hint !== undefined && { hint })}>
      {(attributes) => (
        <Control attributes={attributes} kind={kind} entry={textOf(entry)} onChange={onChange} />
      )}
    </Field>
  );
}

interface ControlProps {
  attributes: ControlAttributes;
  kind: ValueKind;
  entry: string;
  onChange: (entry: string) => void;
}

function Control({ attributes, kind, entry, onChange }: ControlProps) {
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value);
  switch (kind.kind) {
    case 'number':
      return (
        <input
          {...attributes}
          type="number"
          dir="ltr"
          step={kind.isInteger ? 1 : 'any'}
          min={kind.min}
          max={kind.max}
          value={entry}
          onInput={onInput}
        />
      );
    case 'choice':
      return (
        <select {...attributes} value={entry} onChange={onInput}>
          {kind.options.map((option) => (
            <option key={option} value={option}>
              {optionName(option)}
            </option>
          ))}
        </select>
      );
    case 'json':
      return (
        <textarea
          {...attributes}
          class="json"
          dir="ltr"
          rows={8}
          spellcheck={false}
          value={entry}
          onInput={onInput}
        />
      );
    default:
      return <input {...attributes} type="text" dir="auto" value={entry} onInput={onInput} />;
  }
}

interface PartsProps extends Omit<ValueFieldProps, 'kind'> {
  kind: PartsKind;
}

function Parts({ id, label, kind, entry, error, onChange }: PartsProps) {
  const entries = entry as Readonly<Record<string, Entry>> | null;
  return (
    <fieldset id={id} tabIndex={-1} class="parts">
      <legend>{label}</legend>
      {error !== undefined && <p class="field-error">{error}</p>}
      {kind.isNullable && (
        <CheckField
          label={staffTexts.value.none}
          checked={entries === null}
          onChange={(isNone) => onChange(isNone ? null : emptyParts(kind.parts))}
        />
      )}
      {entries !== null &&
        kind.parts.map((part) => (
          <ValueField
            key={part.name}
            id={`${id}-${part.name}`}
            label={partName(part.name, kind.isTuple)}
            kind={part.kind}
            entry={entries[part.name] ?? ''}
            onChange={(changed) => onChange({ ...entries, [part.name]: changed })}
          />
        ))}
    </fieldset>
  );
}
