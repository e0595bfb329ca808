import type { Answer, NextQuestion } from 'dermagate-client';
import type { Language } from '../../i18n/texts.ts';

/** A question and its answer, in the words shown on the screen. */
export interface Wording {
  /** What the texts are in. */
  language?: Language;
  question: string;
  /** Labels of the chosen options; empty for free input and for skipped questions. */
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

/** The values behind the options; a yes/no question may have none. */
export function valuesOf({ options, optionValues, questionType }: NextQuestion): readonly unknown[] {
  return optionValues ?? (questionType === 'bool' ? [true, false] : options);
}

function labelsOf(question: NextQuestion, answer: Answer): string[] {
  if (answer === undefined) return [];
  const values = valuesOf(question);
  return [answer].flat().flatMap((value) => question.options[values.indexOf(value)] ?? []);
}
