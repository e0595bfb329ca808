import type { RecommendedAction } from './triage.schemas.ts';
import type { Language } from '../../../contract/language.ts';
import { loadMessages } from '../../platform/texts/messages.ts';
import ar from './messages/ar.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import he from './messages/he.json' with { type: 'json' };

const texts = loadMessages<{ actions: Record<RecommendedAction, string>; reasons: typeof en.reasons }>({
  en,
  he,
  ar,
  es,
});

/** An action in words for the patient. */
export function actionText(action: RecommendedAction, language: Language): string {
  return texts.in(language).actions[action];
}

/** The reason for a level for which neither a flag nor the AI service gives one. */
export function reasonText(reason: keyof typeof en.reasons, language: Language): string {
  return texts.in(language).reasons[reason];
}

/** Whether `actionText` and `reasonText` still await a native clinician's review. */
export const isTriageTextDrafted = texts.isMachineDrafted;
