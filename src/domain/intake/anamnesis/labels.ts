import type { z } from 'zod';
import type { Language } from '../../../contract/language.ts';
import { loadMessages } from '../../platform/texts/messages.ts';
import ar from './messages/ar.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import he from './messages/he.json' with { type: 'json' };

const texts = loadMessages<typeof en>({ en, he, ar, es });

/** Labels by enumeration and value. */
export type LabelGroups = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const labelGroups = (language: Language): LabelGroups => texts.in(language);

/** The label of a value of an enumeration; a value without a label with spaces for its underscores. */
export function labelOf(enumeration: z.ZodEnum, value: string, language: Language): string {
  return labelGroups(language)[enumeration.meta()?.id ?? '']?.[value] ?? value.replaceAll('_', ' ');
}

export const yesAndNo = (language: Language): [yes: string, no: string] => {
  const { yes, no } = texts.in(language).YesNo;
  return [yes, no];
};

export const areLabelsDrafted = texts.isMachineDrafted;
