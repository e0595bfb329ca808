import type { Language } from '../anamnesis/enums/patient.ts';
import en from './messages/en.json' with { type: 'json' };

/** A code of the red-flag catalogue; the rules of the AI service are part of it. */
export type Flag = keyof typeof en;

const texts: Partial<Record<Language, Partial<Record<string, string>>>> = { en };

/** What a flag means for the patient, in English where there is no translation; undefined for a code we do not know. */
export function flagText(flag: Flag, language: Language): string;
export function flagText(flag: string, language: Language): string | undefined;
export function flagText(flag: string, language: Language): string | undefined {
  return texts[language]?.[flag] ?? texts.en?.[flag];
}
