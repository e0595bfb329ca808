import { ar } from './ar.ts';
import { en, type Texts } from './en.ts';
import { es } from './es.ts';
import { he } from './he.ts';

export const languages = ['en', 'he', 'ar', 'es'] as const;
export type Language = (typeof languages)[number];

/** Each in its own language, so that its speakers recognise it. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  he: 'עברית',
  ar: 'العربية',
  es: 'Español',
};

export const dictionaries: Readonly<Record<Language, Texts>> = { en, he, ar, es };

export const directionOf = (language: Language): 'ltr' | 'rtl' =>
  language === 'he' || language === 'ar' ? 'rtl' : 'ltr';

/** The first of `wanted` (BCP 47 tags in order of preference) that the portal supports; otherwise English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  const bases = wanted.map((tag) => tag.toLowerCase().split('-')[0]);
  return bases.map((base) => languages.find((language) => language === base)).find(Boolean) ?? 'en';
}

/**
 * Replaces `{name}` placeholders. Each value is isolated (U+2068 … U+2069), so that an English name inside a Hebrew
 * sentence does not reorder its punctuation.
 */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) =>
    name in values ? `\u2068${values[name]}\u2069` : place,
  );
}
