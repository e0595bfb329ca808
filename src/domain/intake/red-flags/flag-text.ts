import type { Language } from '../../../contract/language.ts';
import { fillText, loadMessages } from '../../platform/texts/messages.ts';
import type { AnswerField } from './answer-logic.ts';
import ar from './messages/ar.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import he from './messages/he.json' with { type: 'json' };

/** A code of the red-flag catalogue. */
export type Flag = keyof typeof en.flags;

const texts = loadMessages<typeof en>({ en, he, ar, es });

/** The meaning of a flag for the patient; undefined for an unknown code. */
export function flagText(flag: Flag, language: Language): string;
export function flagText(flag: string, language: Language): string | undefined;
export function flagText(flag: string, language: Language): string | undefined {
  const known: Readonly<Record<string, string>> = texts.in(language).flags;
  return Object.hasOwn(known, flag) ? known[flag] : undefined;
}

/** The same for a code that may be unknown: an AI service finds what it will. */
export const wordsFor = (code: string, language: Language): string =>
  flagText(code, language) ?? flagText('urgent_by_ai', language);

/** More would hide the first ones. */
const maxNamed = 3;

/** The same for a flag that could not be ruled out, with the facts that are not known. */
export function notExcludedText(flag: Flag, openFields: readonly AnswerField[], language: Language): string {
  const { notExcluded, fields, and } = texts.in(language);
  const topics: Readonly<Record<string, string>> = fields;
  const named = openFields.flatMap((field) => topics[field] ?? []).slice(0, maxNamed);
  if (named.length === 0) return flagText(flag, language);
  const unknown = named.reduce((first, second) => fillText(and, { first, second }));
  return fillText(notExcluded, { flag: flagText(flag, language), unknown });
}

/** Whether these texts still await a native clinician's review. */
export const isFlagTextDrafted = texts.isMachineDrafted;
