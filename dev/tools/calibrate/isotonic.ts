import type { Curve } from '../../apps/ai-service/diagnosis/calibration.ts';

/** The score of a prediction, and whether it matched the label. */
export interface Claim {
  score: number;
  isRight: boolean;
}

interface Block {
  /** Rising. */
  scores: readonly number[];
  right: number;
}

const shareOf = ({ right, scores }: Block) => right / scores.length;

/** A point lies at the first or last decile of its block, so that it is not the score of a single claim. */
const edge = 0.1;

/**
 * Isotonic regression by pooling adjacent violators: the rising step function closest to the claims. Each block, none smaller
 * than `leastSize`, is a flat part of the curve at its share of right claims; between two blocks the curve is linear.
 * @throws {Error} when there are too few claims or none is right.
 */
export function fitIsotonic(claims: readonly Claim[], leastSize: number): Curve {
  const blocks: Block[] = [];
  for (const { score, isRight } of claims.toSorted((a, b) => a.score - b.score)) {
    blocks.push({ scores: [score], right: Number(isRight) });
    poolBack(blocks, (before, last) => shareOf(before) >= shareOf(last));
  }
  const large = blocks.reduce<Block[]>((pooled, block) => {
    pooled.push(block);
    poolBack(pooled, (before) => before.scores.length < leastSize);
    return pooled;
  }, []);
  // The last block has no upper neighbour to merge into.
  poolBack(large, (_, last) => last.scores.length < leastSize);
  // A block without a right claim would mean "never"; the curve rises from 0 instead.
  const usable = large.filter(({ right, scores }) => right > 0 && scores.length >= leastSize);
  if (usable.length === 0) throw new Error(`${claims.length} claims are too few for a curve.`);
  return rising(usable.flatMap(levelPiece));
}

/** Pools the last two blocks while they must not be separate. */
function poolBack(blocks: Block[], shouldPool: (before: Block, last: Block) => boolean): void {
  for (;;) {
    const [before, last] = blocks.slice(-2);
    if (before === undefined || last === undefined || !shouldPool(before, last)) return;
    const pooled = { scores: [...before.scores, ...last.scores], right: before.right + last.right };
    blocks.splice(-2, 2, pooled);
  }
}

function levelPiece(block: Block): Curve {
  const at = (part: number) => round(block.scores[Math.floor(part * (block.scores.length - 1))] ?? 0);
  const share = round(shareOf(block));
  return [
    [at(edge), share],
    [at(1 - edge), share],
  ];
}

/** Rounding can give two points the same score. */
const rising = (points: Curve): Curve =>
  points.filter(([score], index) => score > (points[index - 1]?.[0] ?? 0));

const round = (value: number) => Math.round(value * 1000) / 1000;
