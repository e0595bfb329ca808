import { isGrowth, type Disease } from './catalogue.ts';

/** The probability that a complaint of this category is a growth (benign, premalignant or malignant), not a rash. */
const growthShare: Record<string, number> = {
  growth_or_mole: 0.92,
  pigmentary_problem: 0.25,
  other: 0.12,
  wound_or_bite: 0.1,
  looks_healthy: 0.05,
  rash: 0.02,
};
const otherGrowthShare = 0.08;

/** Prior of every disease given the complaint's category; sums to 1. */
export function priorsGiven(category: string | undefined, diseases: readonly Disease[]): Map<string, number> {
  const share = growthShare[category ?? ''] ?? otherGrowthShare;
  const mass = (growth: boolean) =>
    diseases.reduce((sum, disease) => (isGrowth(disease) === growth ? sum + disease.prior : sum), 0);
  const massOf = { growth: mass(true), other: mass(false) };
  return new Map(
    diseases.map((disease) => [
      disease.slug,
      isGrowth(disease)
        ? (share * disease.prior) / massOf.growth
        : ((1 - share) * disease.prior) / massOf.other,
    ]),
  );
}
