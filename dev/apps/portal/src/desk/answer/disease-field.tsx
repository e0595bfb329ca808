import * as combobox from '@zag-js/combobox';
import { normalizeProps, useMachine } from '@zag-js/preact';
import type { ListedDisease } from 'dermagate-client';
import { useEffect, useId, useState } from 'preact/hooks';
import { findDiseases } from '../../gateway/desk-calls.ts';
import { language } from '../../i18n/language.ts';
import { directionOf, fill } from '../../i18n/texts.ts';
import { useRead } from '../../query/use-read.ts';
import { deskTexts } from '../i18n/texts.ts';

interface DiseaseFieldProps {
  label: string;
  onPick: (disease: ListedDisease) => void;
  /** Offers an ICD-10 code with words, such as `L98.9 Lesion`, as a diagnosis of its own. */
  onFreeText?: (text: string) => void;
  /** Of the input. */
  id?: string;
}

/**
 * The machine writes the value that it knows into the input after each drawing, and that late that a letter typed in
 * between was lost. Preact writes it with the drawing.
 */
const machine: typeof combobox.machine = {
  ...combobox.machine,
  implementations: {
    ...combobox.machine.implementations,
    actions: { ...combobox.machine.implementations?.actions, syncInputValue: () => undefined },
  },
};

const ICD10 = /^[a-z]\d\d(?:\.\d{1,2})?\s+\S/i;

interface Choice {
  value: string;
  label: string;
  detail: string;
  /** Undefined for free text. */
  found?: ListedDisease;
}

/** Finds diseases by the beginnings of words of their names, in any language, or of codes. */
export function DiseaseField({ label, onPick, onFreeText, id }: DiseaseFieldProps) {
  const words = deskTexts.value.answer;
  const made = useId();
  const [typed, setTyped] = useState('');
  const wanted = useDebounced(typed.trim());
  const { value, busy } = useRead(['diseases', wanted], (signal) => findDiseases(wanted, signal), {
    enabled: wanted !== '',
    keepsPrevious: true,
  });
  const items =
    wanted === '' ? [] : choicesOf(value?.items ?? [], onFreeText && ICD10.test(wanted) ? wanted : undefined);
  const collection = combobox.collection({
    items,
    itemToValue: (item) => item.value,
    itemToString: (item) => item.label,
  });
  const service = useMachine(machine, {
    id: made,
    ids: { input: id ?? `${made}-input` },
    collection,
    dir: directionOf(language.value),
    inputBehavior: 'autohighlight',
    selectionBehavior: 'clear',
    inputValue: typed,
    value: [],
    onInputValueChange: ({ inputValue }) => setTyped(inputValue),
    onValueChange: ({ items: [picked] }) => {
      const choice = picked as Choice | undefined;
      if (choice === undefined) return;
      if (choice.found !== undefined) onPick(choice.found);
      else onFreeText?.(choice.label);
      setTyped('');
    },
  });
  const api = combobox.connect(service, normalizeProps);
  return (
    <div {...api.getRootProps()} class="combobox">
      <label {...api.getLabelProps()}>{label}</label>
      <div {...api.getControlProps()}>
        <input {...(api.getInputProps() as { type: 'text'; role: 'combobox' })} value={typed} dir="auto" />
      </div>
      <div {...api.getPositionerProps()}>
        <ul {...api.getContentProps()} hidden={!api.open || wanted === ''}>
          {items.map((item) => (
            <li key={item.value} {...api.getItemProps({ item })}>
              <span>
                {item.found === undefined ? fill(words.freeText, { text: item.label }) : item.label}
              </span>
              <span class="code" dir="ltr">
                {item.detail}
              </span>
            </li>
          ))}
          {items.length === 0 && <li class="nothing">{busy ? words.searching : words.noDisease}</li>}
        </ul>
      </div>
    </div>
  );
}

function choicesOf(found: readonly ListedDisease[], free: string | undefined): Choice[] {
  const choices: Choice[] = found
    .filter(({ active }) => active)
    .map((each) => ({ value: each.code, label: each.name, found: each, detail: each.icd10 ?? each.code }));
  return free === undefined ? choices : [...choices, { value: ' free', label: free, detail: '' }];
}

/** Milliseconds. Faster typing asks once. */
const PAUSE = 150;

function useDebounced(value: string): string {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), value === '' ? 0 : PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
