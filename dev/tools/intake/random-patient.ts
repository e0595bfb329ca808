import type { NextQuestion } from '../../../src/domain/intake/questions/question.schemas.ts';
import type { Answer } from '../../packages/client/src/apply-answer.ts';

/** Whole numbers from 0 up to, but not including, `below`. The same seed gives the same numbers (mulberry32). */
export type Dice = (below: number) => number;

export function diceFrom(seed: number): Dice {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const words = ['Ibuprofen 400 mg', 'إيبوبروفين', 'אקמול', 'Ácido acetilsalicílico', 'x', 'a\nb', '💊'];

/** A random answer that the question allows, derived from the question alone. */
export function anyAnswer(question: NextQuestion, dice: Dice, { skips = true } = {}): Answer {
  if (skips && question.skippable === true && dice(5) === 0) return undefined;
  const { questionType, optionValues = [], min = 0, max = 0, step = 1 } = question;
  switch (questionType) {
    case 'camera':
      return `/api/common/images/0198a0b0-0000-7000-8000-${String(dice(1e9)).padStart(12, '0')}`;
    case 'bool':
      return dice(2) === 0;
    case 'radio':
      return optionValues[dice(optionValues.length)] as string;
    case 'number':
      return Number((min + dice(Math.round((max - min) / step) + 1) * step).toFixed(1));
    case 'text': {
      const word = words[dice(words.length)] ?? '';
      return word.repeat(dice(20) === 0 ? 1000 : 1).slice(0, max);
    }
    case 'checkbox':
      return anyChoice(optionValues.map(String), min, max, dice);
  }
}

function anyChoice(values: readonly string[], min: number, max: number, dice: Dice): string[] {
  if (values.includes('none') && dice(3) === 0) return ['none'];
  const others = values.filter((value) => value !== 'none');
  const shuffled = others
    .map((value) => ({ value, place: dice(1e9) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value);
  const most = Math.min(max, shuffled.length);
  const wanted = dice(2) === 0 ? dice(most + 1) : Math.min(most, dice(4));
  return shuffled.slice(0, Math.max(min, wanted));
}
