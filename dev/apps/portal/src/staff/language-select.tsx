import type { Language } from 'dermagate-client';
import { languageNames, languages } from '../i18n/texts.ts';
import { Field } from './field.tsx';

interface LanguageSelectProps {
  label: string;
  hint: string;
  value: Language;
  onChange: (language: Language) => void;
}

/** One language. */
export function LanguageSelect({ label, hint, value, onChange }: LanguageSelectProps) {
  return (
    <Field id="language" label={label} hint={hint}>
      {(attributes) => (
        <select
          {...attributes}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value as Language)}
        >
          {languages.map((code) => (
            <option key={code} value={code} lang={code}>
              {languageNames[code]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
