import { useEffect, useRef, useState } from 'preact/hooks';
import { listColleagues } from '../../gateway/desk-calls.ts';
import { languageNames } from '../../i18n/texts.ts';
import { useRead } from '../../query/use-read.ts';
import { useHasBeen } from '../../ui/use-has-been.ts';
import { useWhileShown } from '../../ui/use-while-shown.ts';
import { DiseaseField } from '../answer/disease-field.tsx';
import { Choice } from '../answer/fields.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { isSearchAwaited, SEARCH_TEXT } from './open-search.ts';
import { diseaseOf, type FilterName, type Filters, options } from './filters.ts';

interface FilterBarProps {
  filters: Filters;
  text: string;
  isAdmin: boolean;
  onChange: (patch: Filters) => void;
  onText: (text: string) => void;
  onClear: () => void;
}

/** Milliseconds after the last letter: each search for a name is recorded. */
const PAUSE = 400;

/** Those above the part that folds. */
const alwaysShown: readonly string[] = ['scope', 'status', 'triage', 'sort'] satisfies FilterName[];

export function FilterBar({ filters, text, isAdmin, onChange, onText, onClear }: FilterBarProps) {
  const words = deskTexts.value;
  const { filters: labels } = words;
  const disease = diseaseOf(filters.disease ?? '');
  const used = Object.keys(filters).length;
  const isOpen = useHasBeen(Object.keys(filters).some((name) => !alwaysShown.includes(name)));
  const scopes = options.scope.filter((scope) => isAdmin || scope !== 'tenant');
  const select = (
    name: keyof typeof options,
    label: string,
    offered: readonly { value: string; label: string }[],
    none = labels.any,
  ) => (
    <Choice
      label={label}
      value={filters[name] ?? null}
      options={offered}
      none={none}
      onChange={(value) => onChange({ [name]: value ?? '' })}
    />
  );
  const offer = <Value extends string>(values: readonly Value[], texts: Readonly<Record<Value, string>>) =>
    values.map((value) => ({ value, label: texts[value] }));
  return (
    <search class="filters">
      <div class="filter-row">
        <SearchText text={text} onText={onText} />
        {select('scope', labels.scope, offer(scopes, labels.scopes), labels.scopes.all)}
        {select('status', labels.status, offer(options.status, words.status))}
        {select('triage', labels.triage, offer(options.triage, words.triage))}
        {select('sort', labels.sort, offer(options.sort, labels.sorts))}
      </div>
      <details open={isOpen}>
        <summary>{labels.title}</summary>
        <div class="filter-row">
          {select('urgency', labels.urgency, offer(options.urgency, words.urgency))}
          {select('language', labels.language, offer(options.language, languageNames))}
          {select('audit', labels.audit, offer(options.audit, words.auditState))}
          <PhysicianChoice value={filters.physician} onChange={(physician) => onChange({ physician })} />
          <label>
            {labels.pool}
            <input
              type="text"
              list="pools"
              value={filters.pool ?? ''}
              onChange={({ currentTarget }) => onChange({ pool: currentTarget.value.trim().toLowerCase() })}
            />
            <datalist id="pools">
              <option value="general">{labels.general}</option>
            </datalist>
          </label>
          {(['from', 'to'] as const).map((name) => (
            <label key={name}>
              {labels[name]}
              <input
                type="date"
                value={filters[name] ?? ''}
                onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
              />
            </label>
          ))}
          <div>
            <DiseaseField
              label={labels.disease}
              onPick={({ disease_id: own, id, name }) => onChange({ disease: `${own ?? id} ${name}` })}
            />
            {disease !== undefined && (
              <p class="chosen">
                {disease.name}{' '}
                <button
                  type="button"
                  class="bare"
                  aria-label={words.answer.remove}
                  onClick={() => onChange({ disease: '' })}
                >
                  ×
                </button>
              </p>
            )}
          </div>
          <label class="inline">
            <input
              type="checkbox"
              checked={filters.overdue !== undefined}
              onChange={({ currentTarget }) => onChange({ overdue: currentTarget.checked ? '1' : '' })}
            />
            {labels.overdue}
          </label>
        </div>
      </details>
      {(used > 0 || text !== '') && (
        <button type="button" class="secondary outline small-button" onClick={onClear}>
          {labels.clear}
        </button>
      )}
    </search>
  );
}

function SearchText({ text, onText }: { text: string; onText: (text: string) => void }) {
  const { filters: labels } = deskTexts.value;
  const [typed, setTyped] = useState(text);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isSearchAwaited()) field.current?.focus();
  }, []);
  // What is typed while the cases are read goes on; another text comes from outside, such as none.
  const reported = useRef(text);
  useEffect(() => {
    if (text !== reported.current) setTyped(text);
    reported.current = text;
  }, [text]);
  useWhileShown(() => {
    if (typed === text) return undefined;
    const timer = setTimeout(() => {
      reported.current = typed;
      onText(typed);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <label class="grow">
      {labels.name}
      <input
        ref={field}
        id={SEARCH_TEXT}
        type="search"
        dir="auto"
        maxLength={65}
        autocomplete="off"
        title={labels.nameHint}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </label>
  );
}

interface PhysicianChoiceProps {
  value: string | undefined;
  onChange: (value: string) => void;
}

function PhysicianChoice({ value, onChange }: PhysicianChoiceProps) {
  const { filters: labels } = deskTexts.value;
  const { value: page } = useRead(['physicians'], listColleagues);
  const colleagues = (page?.items ?? []).map(({ uuid, display_name: name }) => ({
    value: uuid,
    label: name,
  }));
  return (
    <Choice
      label={labels.physician}
      value={value ?? null}
      options={[
        { value: 'me', label: labels.me },
        { value: 'none', label: labels.unassigned },
        ...colleagues,
      ]}
      none={labels.any}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
}
