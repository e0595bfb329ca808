import type { Language } from '../../../contract/language.ts';

const formats = new Map<Language, Intl.DateTimeFormat>();

/**
 * A day in words, with European digits: `23 November 2026`.
 * @param day `YYYY-MM-DD`
 */
export function longDate(day: string, language: Language): string {
  const format =
    formats.get(language) ??
    new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
      dateStyle: 'long',
      timeZone: 'UTC',
      numberingSystem: 'latn',
    });
  formats.set(language, format);
  return format.format(new Date(`${day}T00:00:00Z`));
}
