import type { NextQuestion } from 'dermagate-client';
import type { Language } from '../i18n/texts.ts';

/** A question as the gateway asked it; `language` is what its texts are in. */
export type AskedQuestion = NextQuestion & { language?: Language };
