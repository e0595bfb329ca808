import { LOCATION } from './catalogue.ts';
import type { Contribution } from './hints.ts';

/** Counted ratios below this (a factor of 1.2) would only fill the page. */
const worthSaying = Math.log2(1.2);
const maxLines = 8;

/** The answers that moved this disease, the strongest first, each with its field path and its direction. */
export function explain(contributions: readonly Contribution[]): string[] {
  return contributions
    .filter(
      ({ basis, bits }) => basis === 'hint' || (basis !== 'missed_hint' && Math.abs(bits) >= worthSaying),
    )
    .toSorted((a, b) => Math.abs(b.bits) - Math.abs(a.bits))
    .slice(0, maxLines)
    .map(sentence);
}

function sentence({ field, values, bits, basis, source }: Contribution): string {
  const path = field === LOCATION ? 'locations[]' : field;
  const said = values.map((value) => value.replaceAll('_', ' ')).join(', ');
  const direction = bits > 0 ? 'speaks for it' : 'speaks against it';
  const factor = `×${(2 ** Math.abs(bits)).toFixed(1)}`;
  const strength = source === undefined ? factor : `${factor}, counted in ${source}`;
  return `${path}: ${basis === 'not_reported' ? 'no ' : ''}${said} ${direction} (${strength})`;
}
