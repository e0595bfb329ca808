import { LOCATION } from './catalogue.ts';

export interface Site {
  primary: string;
  secondary?: string;
}

/** The patient's answers by dotted path; fields without an informative answer are absent. */
export interface Answers {
  values: ReadonlyMap<string, readonly string[]>;
  sites: readonly Site[];
  ageYears?: number;
  sizeMm?: number;
}

/** Answers that carry no more information than no answer. */
const uninformative = new Set([
  'unknown',
  'not_sure',
  'not_tested',
  'prefer_not_to_say',
  'none_of_the_above',
]);

/**
 * Flattens a (partial) anamnesis. An exact age or size also answers its band, and the sex at birth replaces a gender that
 * implies no sex, because the engine's tables have only bands and two sexes.
 */
export function readAnswers(anamnesis: object): Answers {
  const values = new Map<string, string[]>();
  collect(anamnesis, '', values);
  const ageYears = numberAt(anamnesis, 'patient', 'ageYears');
  if (ageYears !== undefined) values.set('patient.ageGroup', [ageGroupOf(ageYears)]);
  const sizeMm = numberAt(anamnesis, 'lesion', 'sizeMm');
  if (sizeMm !== undefined) values.set('lesion.size', [sizeOf(sizeMm)]);
  const sexAtBirth =
    values.get('patient.sexAtBirth')?.filter((sex) => sex === 'female' || sex === 'male') ?? [];
  const gender = values.get('patient.gender')?.[0];
  if (gender !== 'female' && gender !== 'male' && sexAtBirth.length > 0)
    values.set('patient.gender', sexAtBirth);
  const sites = sitesOf(anamnesis);
  const places = sites.flatMap(({ primary, secondary }) =>
    secondary === undefined ? [primary] : [primary, secondary],
  );
  if (places.length > 0) values.set(LOCATION, places);
  return {
    values,
    sites,
    ...(ageYears === undefined ? {} : { ageYears }),
    ...(sizeMm === undefined ? {} : { sizeMm }),
  };
}

export const complaintOf = ({ values }: Answers): string | undefined => values.get('complaint.category')?.[0];

function collect(value: unknown, path: string, into: Map<string, string[]>): void {
  if (typeof value === 'string') {
    if (!uninformative.has(value)) into.set(path, [...(into.get(path) ?? []), value]);
  } else if (Array.isArray(value)) {
    const scalars = value.every((item) => typeof item === 'string');
    for (const item of value) collect(item, scalars ? path : `${path}[]`, into);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value))
      collect(member, path === '' ? key : `${path}.${key}`, into);
  }
}

function sitesOf(anamnesis: object): Site[] {
  const locations = 'locations' in anamnesis && Array.isArray(anamnesis.locations) ? anamnesis.locations : [];
  return locations.flatMap((location: Partial<Site>) => {
    const { primary, secondary } = location;
    if (primary === undefined) return [];
    return [secondary === undefined ? { primary } : { primary, secondary }];
  });
}

function numberAt(anamnesis: object, section: string, name: string): number | undefined {
  const group: unknown = (anamnesis as Record<string, unknown>)[section];
  const value =
    typeof group === 'object' && group !== null ? (group as Record<string, unknown>)[name] : undefined;
  return typeof value === 'number' ? value : undefined;
}

const ageGroups = [
  [80, 'age_80_or_above'],
  [70, 'age_70_to_79'],
  [60, 'age_60_to_69'],
  [50, 'age_50_to_59'],
  [40, 'age_40_to_49'],
  [30, 'age_30_to_39'],
  [18, 'age_18_to_29'],
  [12, 'age_12_to_17'],
  [2, 'age_2_to_11'],
  [0, 'age_0_to_1'],
] as const;

const sizes = [
  [51, 'over_50_mm'],
  [21, 'from_21_to_50_mm'],
  [11, 'from_11_to_20_mm'],
  [7, 'from_7_to_10_mm'],
  [2, 'from_2_to_6_mm'],
  [0, 'under_2_mm'],
] as const;

const bandOf = (bands: readonly (readonly [number, string])[], value: number) =>
  bands.find(([from]) => value >= from)?.[1] ?? 'unknown';

const ageGroupOf = (years: number) => bandOf(ageGroups, years);
const sizeOf = (mm: number) => bandOf(sizes, mm);
