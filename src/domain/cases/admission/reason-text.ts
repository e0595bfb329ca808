import type { Language } from '../../../contract/language.ts';
import { loadMessages } from '../../platform/texts/messages.ts';
import ar from './messages/ar.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import he from './messages/he.json' with { type: 'json' };

const texts = loadMessages<typeof en>({ en, he, ar, es });

/** A reason in words for staff; what it is about, such as `retake_photos:blurry`, stays in its code. */
export function reasonText(reason: string, language: Language): string {
  const known: Readonly<Record<string, string>> = texts.in(language);
  const [code = reason] = reason.split(':', 1);
  return known[code] ?? code;
}
