import type { LocationPrimary, LocationSecondary } from '../anamnesis/vocabulary/locations.ts';
import type { LocationItem } from './question.ts';

/** Exact places that exist on the left and on the right. */
const pairedPlaces: ReadonlySet<LocationSecondary> = new Set([
  'temple',
  'eyebrow',
  'eyelid',
  'around_eye',
  'cheek',
  'ear',
  'behind_ear',
  'jawline',
  'neck_side',
  'inner_cheek',
  'chest',
  'breast',
  'under_breast',
  'collarbone',
  'shoulder_blade',
  'armpit',
  'flank',
  'groin_fold',
  'buttock',
  'shoulder',
  'upper_arm',
  'elbow',
  'elbow_crease',
  'forearm',
  'wrist',
  'palm',
  'back_of_hand',
  'fingers',
  'finger_webs',
  'knuckles',
  'thigh',
  'inner_thigh',
  'knee',
  'knee_crease',
  'shin',
  'calf',
  'ankle',
  'top_of_foot',
  'side_of_foot',
  'sole',
  'heel',
  'toes',
  'toe_webs',
  'fingernail',
  'toenail',
  'nail_fold',
]);

/** Regions that are paired as a whole, for when no exact place is known. */
const pairedRegions: ReadonlySet<LocationPrimary> = new Set([
  'trunk_side',
  'buttocks',
  'arm',
  'hand',
  'leg',
  'foot',
  'nails',
]);

/** Whether "left or right?" makes sense for a location. */
export function isPaired({ primary, secondary }: LocationItem): boolean {
  if (secondary !== undefined) return pairedPlaces.has(secondary);
  return primary !== undefined && pairedRegions.has(primary);
}
