import type { Language } from '../../../../src/contract/language.ts';
import { loadMessages } from '../../../../src/domain/platform/texts/messages.ts';
import ar from '../messages/disease-names/ar.json' with { type: 'json' };
import en from '../messages/disease-names/en.json' with { type: 'json' };
import es from '../messages/disease-names/es.json' with { type: 'json' };
import he from '../messages/disease-names/he.json' with { type: 'json' };
import type { Disease } from './catalogue.ts';

const texts = loadMessages<typeof en>({ en, he, ar, es });

export function diseaseName({ slug, name }: Disease, language: Language): string {
  const names: Readonly<Record<string, string>> = texts.in(language);
  return names[slug] ?? name;
}

export const areNamesDrafted = texts.isMachineDrafted;
