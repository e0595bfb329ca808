import { type Answers, complaintOf, readAnswers } from './answers.ts';
import { catalogue, type Disease } from './catalogue.ts';
import type { FittedTable } from './fitted.ts';
import { weighHint, weighHintBesideTable, type Contribution } from './hints.ts';
import { padTable } from './pad.ts';
import { priorsGiven } from './prior.ts';
import { scinTable } from './scin.ts';

export interface RankedDisease {
  disease: Disease;
  /**
   * Posterior of the model, not calibrated; all diseases sum to 1. The triage limits use this scale; replies contain
   * `calibrate`d probabilities.
   */
  probability: number;
  contributions: Contribution[];
}

/** Answers are not independent; this factor corrects a posterior that assumes they are. */
const temperature = 0.7;

const fittedTables: readonly FittedTable[] = [scinTable, padTable];

/**
 * Ranks the catalogue by log2 prior(disease | category) + T · Σ bits, softmax base 2. The bits of an answer are the
 * weight of a hint or, where a data set was counted, its log2 likelihood ratio against the usual case: both have the
 * same unit and 0 means "no information", so counted and hand-weighted diseases are comparable. With empty `tables` only
 * the hand weights rank. Ties keep the catalogue's order.
 */
export function rankDiseases(anamnesis: object, tables = fittedTables): RankedDisease[] {
  const answers = readAnswers(anamnesis);
  const priors = priorsGiven(complaintOf(answers), catalogue);
  const scored = catalogue.map((disease) => {
    const contributions = weighDisease(disease, answers, tables);
    const bits = contributions.reduce((sum, contribution) => sum + contribution.bits, 0);
    return { disease, contributions, odds: (priors.get(disease.slug) ?? 0) * 2 ** (temperature * bits) };
  });
  const total = scored.reduce((sum, { odds }) => sum + odds, 0);
  return scored
    .map(({ disease, contributions, odds }) => ({ disease, contributions, probability: odds / total }))
    .toSorted((a, b) => b.probability - a.probability);
}

function weighDisease(disease: Disease, answers: Answers, tables: readonly FittedTable[]): Contribution[] {
  const table = tables.find(({ conditions }) => conditions.has(disease.slug));
  const covers = (field: string, value?: string) => table?.covers(disease.slug, field, value) ?? false;
  const hints = disease.hints.flatMap((hint) => {
    const contribution =
      table === undefined ? weighHint(hint, answers) : weighHintBesideTable(hint, answers, covers);
    return contribution === undefined ? [] : [contribution];
  });
  return [...(table?.weigh(disease.slug, answers) ?? []), ...hints];
}
