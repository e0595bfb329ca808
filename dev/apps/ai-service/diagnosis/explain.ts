import type { Language } from '../../../../src/contract/language.ts';
import {
  fillText,
  isolated,
  isRightToLeft,
  loadMessages,
} from '../../../../src/domain/platform/texts/messages.ts';
import { answerLabel } from './answer-label.ts';
import ar from '../messages/explanations/ar.json' with { type: 'json' };
import en from '../messages/explanations/en.json' with { type: 'json' };
import es from '../messages/explanations/es.json' with { type: 'json' };
import he from '../messages/explanations/he.json' with { type: 'json' };
import { LOCATION } from './catalogue.ts';
import type { Contribution } from './hints.ts';

const texts = loadMessages<typeof en>({ en, he, ar, es });

export const areExplanationsDrafted = texts.isMachineDrafted;

/** Weaker counted ratios (below a factor of 1.2) are not worth a line. */
const worthShowing = Math.log2(1.2);
const maxLines = 8;
/** A patient with twenty locations has more answers than fit in a line. */
const maxAnswers = 5;

/** The answers that moved this disease, the strongest first, each with its field path and its direction. */
export function explain(contributions: readonly Contribution[], language: Language): string[] {
  return contributions
    .filter(
      ({ basis, bits }) => basis === 'hint' || (basis !== 'missed_hint' && Math.abs(bits) >= worthShowing),
    )
    .toSorted((a, b) => Math.abs(b.bits) - Math.abs(a.bits))
    .slice(0, maxLines)
    .map((contribution) => sentence(contribution, language));
}

function sentence({ field, values, bits, basis, source }: Contribution, language: Language): string {
  const { quoted, joined, counted, ...sentences } = texts.in(language);
  const code = isRightToLeft(language) ? isolated : (text: string) => text;
  const labels = values.slice(0, maxAnswers).map((value) => answerLabel(field, value, language));
  const answers = labels
    .map((answer) => fillText(quoted, { answer }))
    .reduce((first, second) => (first === '' ? second : fillText(joined, { first, second })), '');
  const factor = code(`×${(2 ** Math.abs(bits)).toFixed(1)}`);
  const direction = bits > 0 ? 'for' : 'against';
  return fillText(sentences[`${basis === 'not_reported' ? 'absent' : 'reported'}_${direction}`], {
    field: code(field === LOCATION ? 'locations[]' : field),
    answers: values.length > maxAnswers ? `${answers} …` : answers,
    strength: source === undefined ? factor : fillText(counted, { factor, source: code(source) }),
  });
}
