import catalogueFile from '../data/catalogue.json' with { type: 'json' };

/** One clue of the catalogue: any of these answers changes the odds by 2, 4 or 8 (weight ±1, ±2, ±3). */
export interface Hint {
  /** Dotted path of the answer; `locations[].primary|secondary` reads both. */
  field: string;
  anyOf: readonly string[];
  weight: number;
}

export interface Disease {
  slug: string;
  name: string;
  icd10: string;
  category: string;
  typicalUrgency: string;
  /** Share among all cases (rash-like conditions) or among growths; renormalised in `prior.ts`. */
  prior: number;
  hints: readonly Hint[];
}

/** The 66 conditions of the reference engine, in the catalogue's order. */
export const catalogue: readonly Disease[] = catalogueFile;

export const LOCATION = 'locations[].primary|secondary';

const growthCategories = new Set(['benign_growth', 'premalignant', 'malignant']);

export const isGrowth = (disease: Disease): boolean => growthCategories.has(disease.category);
