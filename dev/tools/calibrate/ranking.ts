import { type Context, contextOf } from '../../apps/ai-service/diagnosis/calibration.ts';
import type { Disease } from '../../apps/ai-service/diagnosis/catalogue.ts';
import type { FittedTable } from '../../apps/ai-service/diagnosis/fitted.ts';
import { rankDiseases } from '../../apps/ai-service/diagnosis/rank.ts';
import type { Claim } from './isotonic.ts';
import type { LabelledRow } from './labelled-rows.ts';

/** A row with the engine's ranking and its label. */
export interface Ranking {
  complaint: string | undefined;
  first: Disease | undefined;
  label: string | undefined;
  /** The person. */
  group: string;
  slugs: readonly string[];
  /** Of the slugs, falling; they sum to 1. */
  scores: readonly number[];
}

/** Number of predictions in a reply. */
export const SHOWN = 5;

export function rank({ anamnesis, label, group }: LabelledRow, tables: readonly FittedTable[]): Ranking {
  const ranked = rankDiseases(anamnesis, tables);
  return {
    complaint: anamnesis.complaint?.category,
    first: ranked[0]?.disease,
    label,
    group,
    slugs: ranked.map(({ disease }) => disease.slug),
    scores: ranked.map(({ probability }) => probability),
  };
}

/** The claims of a reply with these probabilities in place of the scores. */
export function shownClaims({ label, slugs }: Ranking, probabilities: readonly number[]): Claim[] {
  return probabilities
    .slice(0, SHOWN)
    .map((score, index) => ({ score, isRight: slugs[index] !== undefined && slugs[index] === label }));
}

export const contextOfRanking = ({ complaint, first }: Ranking): Context => contextOf(complaint, first);
