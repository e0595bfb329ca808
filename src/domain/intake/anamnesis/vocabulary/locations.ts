import type { z } from 'zod';
import { enumeration } from './enumeration.ts';

export const LocationPrimary = enumeration('LocationPrimary', 'Body region.', [
  'head_neck',
  'mouth',
  'trunk_front',
  'trunk_back',
  'trunk_side',
  'groin_genitals',
  'buttocks',
  'arm',
  'hand',
  'leg',
  'foot',
  'nails',
  'generalized',
  'other',
]);
export type LocationPrimary = z.infer<typeof LocationPrimary>;

/** Exact places by region; names follow the ISIC archive's anatomical sites (Apache-2.0). */
export const secondaryByPrimary = {
  head_neck: [
    'scalp',
    'forehead',
    'temple',
    'eyebrow',
    'eyelid',
    'around_eye',
    'nose',
    'cheek',
    'ear',
    'behind_ear',
    'lips',
    'around_mouth',
    'chin',
    'jawline',
    'beard_area',
    'face',
    'neck_front',
    'neck_side',
    'nape',
  ],
  mouth: ['tongue', 'inner_cheek', 'gums', 'palate', 'inner_lip'],
  trunk_front: [
    'chest',
    'breast',
    'nipple',
    'under_breast',
    'collarbone',
    'abdomen',
    'upper_abdomen',
    'lower_abdomen',
    'around_navel',
    'waistline',
  ],
  trunk_back: ['upper_back', 'shoulder_blade', 'mid_back', 'lower_back'],
  trunk_side: ['armpit', 'flank'],
  groin_genitals: ['groin_fold', 'pubic_area', 'penis', 'scrotum', 'vulva', 'perineum', 'perianal'],
  buttocks: ['buttock', 'gluteal_cleft'],
  arm: ['shoulder', 'upper_arm', 'elbow', 'elbow_crease', 'forearm', 'wrist'],
  hand: ['palm', 'back_of_hand', 'fingers', 'finger_webs', 'knuckles'],
  leg: ['thigh', 'inner_thigh', 'knee', 'knee_crease', 'shin', 'calf', 'ankle'],
  foot: ['top_of_foot', 'side_of_foot', 'sole', 'heel', 'toes', 'toe_webs'],
  nails: ['fingernail', 'toenail', 'nail_fold'],
  generalized: ['whole_body', 'sun_exposed_areas', 'skin_folds'],
  other: ['other_site'],
} as const satisfies Record<LocationPrimary, readonly string[]>;

export const LocationSecondary = enumeration(
  'LocationSecondary',
  'Exact place. It must belong to the `primary` of the same location.',
  Object.values(secondaryByPrimary).flat(),
);
export type LocationSecondary = z.infer<typeof LocationSecondary>;

export const LocationSide = enumeration('LocationSide', 'The patient’s own left or right.', [
  'left',
  'right',
  'both',
  'midline',
  'not_applicable',
  'not_sure',
]);
export type LocationSide = z.infer<typeof LocationSide>;
