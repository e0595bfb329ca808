import type { LocationPrimary } from '../anamnesis/vocabulary/locations.ts';
import type { LocationItem } from './question.ts';

/** For face, nipple, genitals, palms, soles and toenails. */
const regions: ReadonlySet<LocationPrimary> = new Set([
  'head_neck',
  'trunk_front',
  'groin_genitals',
  'hand',
  'foot',
  'nails',
] as const);

/** Whether a red-flag rule asks for the exact place in the location's region. */
export function needsExactPlace({ primary }: LocationItem): boolean {
  return primary !== undefined && regions.has(primary);
}
