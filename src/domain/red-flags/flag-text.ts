import type { Language } from '../anamnesis/enums/patient.ts';
import en from './messages/en.json' with { type: 'json' };

/** A code of the red-flag catalogue, which also has the rules that only the AI service checks. */
export type Flag = keyof typeof en;

const english = new Map(Object.entries(en));
const texts = new Map<Language, ReadonlyMap<string, string>>([['en', english]]);

/** What a flag means for the patient, in English where there is no translation; undefined for a code we do not know. */
export function flagText(flag: Flag, language: Language): string;
export function flagText(flag: string, language: Language): string | undefined;
export function flagText(flag: string, language: Language): string | undefined {
  return texts.get(language)?.get(flag) ?? english.get(flag);
}
