import type { AuditScores } from 'dermagate-client';

export const marks = ['diagnosis', 'advice', 'wording', 'image'] as const;
export type Mark = (typeof marks)[number];
/** The marks entered so far. */
export type EnteredScores = Partial<AuditScores>;

/** @param entry of the field of this mark; empty where it was cleared. */
export function withMark(scores: EnteredScores, mark: Mark, entry: string): EnteredScores {
  const { [mark]: _before, ...others } = scores;
  return entry === '' ? others : { ...others, [mark]: Number(entry) };
}

/** For the gateway, which takes all marks or none; undefined where some are missing. */
export function scoresOf({
  diagnosis,
  advice,
  wording,
  image,
}: EnteredScores): AuditScores | null | undefined {
  const entered = [diagnosis, advice, wording, image];
  if (entered.every((score) => score === undefined)) return null;
  if (diagnosis === undefined || advice === undefined || wording === undefined || image === undefined)
    return undefined;
  return { diagnosis, advice, wording, image };
}
