import type { z } from 'zod';
import { enumeration } from './enumeration.ts';

// A subset of SkinCon’s 48 concepts.
export const LesionType = enumeration('LesionType', 'Morphology of the lesion.', [
  'macule',
  'patch',
  'papule',
  'plaque',
  'nodule',
  'vesicle',
  'bulla',
  'pustule',
  'wheal',
  'comedo',
  'cyst',
  'erosion',
  'ulcer',
  'purpura',
  'burrow',
  'scar',
  'telangiectasia',
  'no_visible_lesion',
  'not_sure',
]);
export type LesionType = z.infer<typeof LesionType>;

export const LesionCount = enumeration('LesionCount', 'How many spots there are.', [
  'single',
  'two_to_five',
  'six_to_twenty',
  'more_than_twenty',
  'confluent',
  'not_sure',
]);
export type LesionCount = z.infer<typeof LesionCount>;

// Cut-offs: 10 and 30 % divide SJS from TEN, 90 % is erythroderma.
export const BodySurfaceExtent = enumeration(
  'BodySurfaceExtent',
  'Share of the body surface affected. The patient’s palm with fingers is about 1 %.',
  [
    'single_spot',
    'less_than_1_percent',
    'from_1_to_10_percent',
    'from_10_to_30_percent',
    'from_30_to_50_percent',
    'from_50_to_90_percent',
    'over_90_percent',
    'unknown',
  ],
);
export type BodySurfaceExtent = z.infer<typeof BodySurfaceExtent>;

export const Arrangement = enumeration('Arrangement', 'How several spots are arranged.', [
  'isolated',
  'scattered',
  'grouped',
  'linear',
  'ring_shaped',
  'target_like',
  'net_like',
  'dermatomal',
  'not_sure',
]);
export type Arrangement = z.infer<typeof Arrangement>;

export const Distribution = enumeration('Distribution', 'How the problem is spread over the body.', [
  'localized',
  'unilateral',
  'symmetrical',
  'sun_exposed',
  'skin_folds',
  'extensor_surfaces',
  'flexural_surfaces',
  'palms_and_soles',
  'follicular',
  'generalized',
  'not_sure',
]);
export type Distribution = z.infer<typeof Distribution>;

export const Color = enumeration(
  'Color',
  'Colour of the lesion. On dark skin redness may look purple, brown or grey.',
  [
    'skin_colored',
    'pink',
    'red',
    'purple',
    'brown',
    'black',
    'blue',
    'grey',
    'white',
    'yellow',
    'orange',
    'salmon',
    'not_sure',
  ],
);
export type Color = z.infer<typeof Color>;

export const ColorPattern = enumeration('ColorPattern', 'How the colours are spread within one spot.', [
  'uniform',
  'two_colors',
  'three_or_more_colors',
  'irregular_pigment',
  'central_clearing',
  'redder_at_edge',
  'not_sure',
]);
export type ColorPattern = z.infer<typeof ColorPattern>;

export const Shape = enumeration('Shape', 'Outline or shape of one spot.', [
  'round',
  'oval',
  'ring',
  'linear',
  'irregular',
  'target',
  'dome_shaped',
  'flat_topped',
  'pedunculated',
  'umbilicated',
  'not_sure',
]);
export type Shape = z.infer<typeof Shape>;

export const Symmetry = enumeration(
  'Symmetry',
  'Whether both halves of the spot look alike (the A of ABCDE).',
  ['symmetrical', 'asymmetrical', 'not_sure'],
);
export type Symmetry = z.infer<typeof Symmetry>;

export const BorderDefinition = enumeration('BorderDefinition', 'Edge of the spot (the B of ABCDE).', [
  'sharp',
  'blurred',
  'irregular',
  'rolled_raised',
  'advancing_scaly',
  'not_sure',
]);
export type BorderDefinition = z.infer<typeof BorderDefinition>;

// 7 mm is the size criterion of NICE NG12.
export const Size = enumeration('Size', 'Largest diameter of the largest spot.', [
  'under_2_mm',
  'from_2_to_6_mm',
  'from_7_to_10_mm',
  'from_11_to_20_mm',
  'from_21_to_50_mm',
  'over_50_mm',
  'not_sure',
]);
export type Size = z.infer<typeof Size>;

export const Elevation = enumeration('Elevation', 'Height relative to the surrounding skin.', [
  'flat',
  'slightly_raised',
  'raised',
  'depressed',
  'mixed',
  'not_sure',
]);
export type Elevation = z.infer<typeof Elevation>;
