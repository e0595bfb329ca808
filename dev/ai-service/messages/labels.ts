import type { z } from 'zod';
import type { Language } from '../../../src/domain/anamnesis/enums/patient.ts';
import { loadMessages } from '../../../src/domain/texts/messages.ts';
import ar from './options/ar.json' with { type: 'json' };
import en from './options/en.json' with { type: 'json' };
import es from './options/es.json' with { type: 'json' };
import he from './options/he.json' with { type: 'json' };

const texts = loadMessages<typeof en>({ en, he, ar, es });

/** What a value of an enumeration is called; in plain words the value itself where nobody has named it. */
export function labelOf(enumeration: z.ZodEnum, value: string, language: Language): string {
  const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = texts.in(language);
  return groups[enumeration.meta()?.id ?? '']?.[value] ?? value.replaceAll('_', ' ');
}

export const yesAndNo = (language: Language): [yes: string, no: string] => {
  const { yes, no } = texts.in(language).YesNo;
  return [yes, no];
};

export const areLabelsDrafted = texts.isMachineDrafted;
