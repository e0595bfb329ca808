import type { Answer, NextQuestion } from 'dermagate-client';
import type { Language } from '../i18n/texts.ts';

/** A question and what was answered to it, in the words that were on the screen. */
export interface Wording {
  /** What the texts are in. */
  language?: Language;
  question: string;
  /** Labels of the options that were chosen; empty for what was entered freely and for what was skipped. */
  labels: readonly string[];
  unit?: string;
}

export function wordingOf(question: NextQuestion & { language?: Language }, answer: Answer): Wording {
  const { questionText, unit, language } = question;
  return {
    ...(language !== undefined && { language }),
    question: questionText,
    labels: labelsOf(question, answer),
    ...(unit !== undefined && { unit }),
  };
}

/** The values that options stand for; a yes/no question may come without. */
export function valuesOf({ options, optionValues, questionType }: NextQuestion): readonly unknown[] {
  return optionValues ?? (questionType === 'bool' ? [true, false] : options);
}

function labelsOf(question: NextQuestion, answer: Answer): string[] {
  if (answer === undefined) return [];
  const values = valuesOf(question);
  return [answer].flat().flatMap((value) => question.options[values.indexOf(value)] ?? []);
}
