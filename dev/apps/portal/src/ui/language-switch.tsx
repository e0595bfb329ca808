import { language, speak, texts } from '../i18n/language.ts';
import { type Language, languageNames, languages } from '../i18n/texts.ts';

export function LanguageSwitch() {
  return (
    <select
      class="languages"
      aria-label={texts.value.common.language}
      value={language.value}
      onChange={({ currentTarget }) => speak(currentTarget.value as Language)}
    >
      {languages.map((code) => (
        <option key={code} value={code} lang={code}>
          {languageNames[code]}
        </option>
      ))}
    </select>
  );
}
