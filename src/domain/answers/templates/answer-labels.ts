import type { Language } from '../../../contract/language.ts';
import { loadMessages } from '../../platform/texts/messages.ts';
import ar from './messages/ar.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import he from './messages/he.json' with { type: 'json' };

const texts = loadMessages<typeof en>({ en, he, ar, es });

/** The words around what a physician has stated. */
export const answerLabels = (language: Language): typeof en => texts.in(language);

/** Whether `answerLabels` still await a native clinician's review. */
export const areAnswerLabelsDrafted = texts.isMachineDrafted;
