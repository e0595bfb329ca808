import type { Language } from 'dermagate-client';
import { languageNames, languages } from '../i18n/texts.ts';
import { CheckField } from './field.tsx';

interface LanguageChoiceProps {
  legend: string;
  hint?: string;
  chosen: readonly Language[];
  onChange: (chosen: Language[]) => void;
}

/** Any number of languages, always in the same order. */
export function LanguageChoice({ legend, hint, chosen, onChange }: LanguageChoiceProps) {
  const toggle = (code: Language, isChosen: boolean) =>
    onChange(languages.filter((each) => (each === code ? isChosen : chosen.includes(each))));
  return (
    <fieldset>
      <legend>{legend}</legend>
      {hint !== undefined && <p class="small">{hint}</p>}
      <div class="in-row">
        {languages.map((code) => (
          <CheckField
            key={code}
            label={<span lang={code}>{languageNames[code]}</span>}
            checked={chosen.includes(code)}
            onChange={(isChosen) => toggle(code, isChosen)}
          />
        ))}
      </div>
    </fieldset>
  );
}
