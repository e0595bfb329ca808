import type { Answer, NextQuestion } from 'dermagate-client';
import { withoutControls } from '../../gateway/without-controls.ts';
import type { Texts } from '../../i18n/en.ts';

/** The content of an input: the text of a number, the values of checked boxes, … */
export type Entry = string | boolean | readonly string[] | undefined;

export type Checked =
  | { ok: true; answer: Exclude<Answer, undefined> }
  | { ok: false; reason: keyof Texts['intake']; values: Readonly<Record<string, number>> };

/** Whether an entry answers the question within the bounds that the gateway sent. */
export function checkAnswer(question: NextQuestion, entry: Entry): Checked {
  switch (question.questionType) {
    case 'checkbox':
      return checkChoices(question, Array.isArray(entry) ? (entry as readonly string[]) : []);
    case 'number':
      return checkNumber(question, typeof entry === 'string' ? entry.trim() : '');
    case 'text':
      return checkText(question, typeof entry === 'string' ? withoutControls(entry).trim() : '');
    default:
      return entry === undefined || Array.isArray(entry)
        ? refuse('chooseOne')
        : { ok: true, answer: entry as string | boolean };
  }
}

function checkChoices({ min = 0, max = Infinity }: NextQuestion, chosen: readonly string[]): Checked {
  // Nothing ticked is the initial state and never an answer; "skip" leaves a question open on purpose.
  const least = Math.max(min, 1);
  if (chosen.length < least) return refuse('chooseSome', { min: least });
  if (chosen.length > max) return refuse('chooseFewer', { max });
  return { ok: true, answer: chosen };
}

function checkNumber({ min = -Infinity, max = Infinity, step }: NextQuestion, text: string): Checked {
  const value = Number(latinDigits(text).replace(/[,٫]/, '.'));
  if (text === '' || Number.isNaN(value)) return refuse('enterNumber');
  if (value < min || value > max) return refuse('enterBetween', { min, max });
  if (step === 1 && !Number.isInteger(value)) return refuse('enterWhole');
  return { ok: true, answer: value };
}

function checkText({ min = 0, max = Infinity }: NextQuestion, text: string): Checked {
  const { length } = text;
  if (length === 0) return refuse('enterText');
  if (length < min) return refuse('textTooShort', { min });
  if (length > max) return refuse('textTooLong', { max });
  return { ok: true, answer: text };
}

const refuse = (reason: keyof Texts['intake'], values: Readonly<Record<string, number>> = {}): Checked => ({
  ok: false,
  reason,
  values,
});

/** Arabic keyboards produce ٠ to ٩ (U+0660) or ۰ to ۹ (U+06F0). */
function latinDigits(text: string): string {
  return text.replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) =>
    String((digit.codePointAt(0) ?? 0) & 0xf),
  );
}
