import { useEffect, useState } from 'preact/hooks';
import type { IntakePorts } from './intake-session.ts';
import type { Language } from '../../i18n/texts.ts';
import { stateOf, type Step } from './intake.ts';
import { type Wording, wordingOf } from './wording.ts';

/**
 * The texts of the questions and answers of `steps` in `language`. Questions asked in another language are requested
 * again, in order; until then, and where that fails, their texts stay in the original language.
 */
export function useWordings(
  steps: readonly Step[],
  language: Language,
  ask: IntakePorts['askNextQuestion'],
): (step: Step) => Wording {
  const [translated, setTranslated] = useState<ReadonlyMap<Step, Wording>>(new Map());
  useEffect(() => {
    const leaving = new AbortController();
    setTranslated(new Map());
    translate(steps, language, ask, leaving.signal, setTranslated).catch((reason: unknown) => {
      if (!leaving.signal.aborted) throw reason;
    });
    return () => leaving.abort();
  }, [steps, language]);
  return (step) => translated.get(step) ?? step.wording ?? { question: step.questionId, labels: [] };
}

async function translate(
  steps: readonly Step[],
  language: Language,
  ask: IntakePorts['askNextQuestion'],
  signal: AbortSignal,
  onProgress: (translated: ReadonlyMap<Step, Wording>) => void,
): Promise<void> {
  const translated = new Map<Step, Wording>();
  for (const [index, step] of steps.entries()) {
    if (step.wording?.language === language) continue;
    const asked = await ask(stateOf({ steps: steps.slice(0, index) }), signal);
    if (!asked.ok) return;
    if (asked.value.questionId === step.questionId) {
      translated.set(step, wordingOf(asked.value, step.answer));
      onProgress(new Map(translated));
    }
  }
}
