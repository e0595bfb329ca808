import type { Language } from '../../../../src/contract/language.ts';
import { loadMessages } from '../../../../src/domain/platform/texts/messages.ts';
import ar from '../messages/triage-reasons/ar.json' with { type: 'json' };
import en from '../messages/triage-reasons/en.json' with { type: 'json' };
import es from '../messages/triage-reasons/es.json' with { type: 'json' };
import he from '../messages/triage-reasons/he.json' with { type: 'json' };

/** Reasons of a triage level besides red flags. */
export type ReasonCode = keyof typeof en;

const texts = loadMessages<typeof en>({ en, he, ar, es });

export const reasonText = (code: ReasonCode, language: Language) => texts.in(language)[code];

export const areReasonsDrafted = texts.isMachineDrafted;
