import type { Language } from '../anamnesis/enums/patient.ts';
import { loadMessages } from '../texts/messages.ts';
import ar from './messages/ar.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import he from './messages/he.json' with { type: 'json' };

/** A code of the red-flag catalogue, which also has the rules that only the AI service checks. */
export type Flag = keyof typeof en;

const texts = loadMessages<typeof en>({ en, he, ar, es });

/** What a flag means for the patient; undefined for a code we do not know. */
export function flagText(flag: Flag, language: Language): string;
export function flagText(flag: string, language: Language): string | undefined;
export function flagText(flag: string, language: Language): string | undefined {
  const known: Readonly<Record<string, string>> = texts.in(language);
  return Object.hasOwn(known, flag) ? known[flag] : undefined;
}

/** Whether the words of `flagText` still wait for a native clinician's review. */
export const isFlagTextDrafted = texts.isMachineDrafted;
