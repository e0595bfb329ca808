import type { ListedDisease } from 'dermagate-client';
import { useEffect, useState } from 'preact/hooks';
import { findDiseases } from '../../gateway/desk-calls.ts';
import type { Failure } from '../../gateway/failure.ts';
import { fill } from '../../i18n/texts.ts';
import { useRead } from '../../query/use-read.ts';
import { Combobox, type Option } from '../../ui/combobox.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { failureText } from '../parts/desk-failure.tsx';

interface DiseaseFieldProps {
  label: string;
  onPick: (disease: ListedDisease) => void;
  /** Offers an ICD-10 code with words, such as `L98.9 Lesion`, as a diagnosis of its own. */
  onFreeText?: (text: string) => void;
  /** Of the input. */
  id?: string;
}

const ICD10 = /^[a-z]\d\d(?:\.\d{1,2})?\s+\S/i;

/** Whether the catalogue was not read; one that has no word of such length is no failure. */
const isUnread = (failure: Failure | undefined): failure is Failure =>
  failure !== undefined && failure.code !== 'validation_error';

interface Choice extends Option {
  /** Undefined for free text. */
  found?: ListedDisease;
}

/** Finds diseases by the beginnings of words of their names, in any language, or of codes. */
export function DiseaseField({ label, onPick, onFreeText, id }: DiseaseFieldProps) {
  const words = deskTexts.value.answer;
  const [typed, setTyped] = useState('');
  const wanted = useDebounced(typed.trim());
  const { value, busy, failure } = useRead(['diseases', wanted], (signal) => findDiseases(wanted, signal), {
    enabled: wanted !== '',
    keepsPrevious: true,
  });
  const free = onFreeText && ICD10.test(wanted) ? fill(words.freeText, { text: wanted }) : undefined;
  return (
    <Combobox
      id={id}
      label={label}
      text={typed}
      onText={setTyped}
      options={wanted === '' ? [] : choicesOf(value?.items ?? [], free)}
      isCurrent={!busy && wanted === typed.trim()}
      empty={busy ? words.searching : isUnread(failure) ? failureText(failure) : words.noDisease}
      onPick={({ found }) => (found === undefined ? onFreeText?.(wanted) : onPick(found))}
    />
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
