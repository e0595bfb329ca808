import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useWhileShown } from '../ui/use-while-shown.ts';
import { staffTexts } from './i18n/texts.ts';
import { plainLine } from './plain-line.ts';

interface FilterBarProps {
  label: string;
  children: ComponentChildren;
  /** Undefined while no filter is set. */
  onClear?: (() => void) | undefined;
}

/** The filters of a list, in one line where there is room. */
export function FilterBar({ label, children, onClear }: FilterBarProps) {
  return (
    <form class="filters" aria-label={label} onSubmit={(event) => event.preventDefault()}>
      {children}
      {onClear !== undefined && (
        <button type="button" class="secondary outline" onClick={onClear}>
          {staffTexts.value.clearFilters}
        </button>
      )}
    </form>
  );
}

interface FilterSelectProps {
  label: string;
  value: string;
  /** Value and text; the empty value stands for all. */
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
  /** One of the options always counts. */
  isRequired?: boolean;
}

export function FilterSelect({ label, value, options, onChange, isRequired = false }: FilterSelectProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {!isRequired && <option value="">{staffTexts.value.all}</option>}
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Milliseconds without a key after which the list is read. */
const PAUSE = 350;

interface FilterTextProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: string;
  /** As the gateway has it; by default that of a mail address. */
  most?: number;
}

/** A text to search for, without spaces around it; it counts after a pause, and at once with Enter. */
export function FilterText({ label, value, onChange, hint, most = 254 }: FilterTextProps) {
  const id = useId();
  const [entry, setEntry] = useState(value);
  const wanted = plainLine(entry).trim();
  // What was typed goes on: the space after a name, and what follows while the list is read.
  const reported = useRef(value);
  useEffect(() => {
    if (value !== reported.current) setEntry(value);
    reported.current = value;
  }, [value]);
  const report = () => {
    reported.current = wanted;
    onChange(wanted);
  };
  useWhileShown(() => {
    if (wanted === value) return undefined;
    const timer = setTimeout(report, PAUSE);
    return () => clearTimeout(timer);
  }, [wanted]);
  return (
    <div class="filter-text">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        value={entry}
        maxLength={most}
        dir="auto"
        aria-describedby={hint && `${id}-hint`}
        onInput={({ currentTarget }) => setEntry(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Enter' && wanted !== value && report()}
      />
      {hint !== undefined && (
        <small id={`${id}-hint`} class="visually-hidden">
          {hint}
        </small>
      )}
    </div>
  );
}
