import type { z } from 'zod';
import { enumeration } from './enumeration.ts';

export const Texture = enumeration('Texture', 'How the skin feels there.', [
  'flat',
  'raised_or_bumpy',
  'rough_or_flaky',
  'fluid_filled',
  'smooth',
  'firm_or_hard',
  'soft',
  'thickened',
  'warty',
  'dry_or_cracked',
  'not_sure',
]);
export type Texture = z.infer<typeof Texture>;

export const SurfaceChange = enumeration('SurfaceChange', 'Scale, crust and other changes of the surface.', [
  'none',
  'scaly',
  'greasy_scale',
  'silvery_scale',
  'crusted',
  'golden_crust',
  'weeping',
  'cracked',
  'peeling',
  'peeling_in_sheets',
  'ulcerated',
  'shiny_pearly',
  'scratch_marks',
  'not_sure',
]);
export type SurfaceChange = z.infer<typeof SurfaceChange>;

export const Discharge = enumeration('Discharge', 'What comes out of the lesion.', [
  'none',
  'clear',
  'pus',
  'blood',
  'mixed',
  'not_sure',
]);
export type Discharge = z.infer<typeof Discharge>;

export const Blanching = enumeration(
  'Blanching',
  'Glass test: whether the spots fade when a clear glass is pressed on them.',
  ['blanches', 'non_blanching', 'not_tested'],
);
export type Blanching = z.infer<typeof Blanching>;

export const SkinTemperature = enumeration(
  'SkinTemperature',
  'How warm the skin feels compared with the skin around it.',
  ['normal', 'warm', 'hot', 'cool', 'not_sure'],
);
export type SkinTemperature = z.infer<typeof SkinTemperature>;

export const LesionChange = enumeration('LesionChange', 'What has changed in the spot.', [
  'none',
  'size',
  'shape',
  'color',
  'elevation',
  'bleeding',
  'crusting',
  'inflammation',
  'sensation',
  'new_lesion',
  'not_sure',
]);
export type LesionChange = z.infer<typeof LesionChange>;

export const ChangeTimeframe = enumeration('ChangeTimeframe', 'Over what time it changed.', [
  'days',
  'weeks',
  'one_to_three_months',
  'three_to_twelve_months',
  'over_one_year',
  'no_change',
]);
export type ChangeTimeframe = z.infer<typeof ChangeTimeframe>;

export const SwellingSite = enumeration('SwellingSite', 'What is swollen.', [
  'none',
  'lips',
  'tongue',
  'face',
  'eyelids',
  'throat',
  'hands_or_feet',
  'limb',
  'genitals',
  'joints',
  'lymph_nodes',
  'not_sure',
]);
export type SwellingSite = z.infer<typeof SwellingSite>;

export const MucosalSite = enumeration('MucosalSite', 'Mucous membranes that have sores.', [
  'none',
  'mouth',
  'lips',
  'eyes',
  'genitals',
  'anus',
  'nose',
  'not_sure',
]);
export type MucosalSite = z.infer<typeof MucosalSite>;

export const EyeSymptom = enumeration('EyeSymptom', 'Problems of the eyes.', [
  'none',
  'redness',
  'pain',
  'light_sensitivity',
  'blurred_vision',
  'discharge',
  'pain_on_movement',
  'not_sure',
]);
export type EyeSymptom = z.infer<typeof EyeSymptom>;

export const NailChange = enumeration('NailChange', 'What has changed in the nail.', [
  'none',
  'thickening',
  'yellowing',
  'dark_streak',
  'widening_dark_streak',
  'pitting',
  'lifting',
  'crumbling',
  'painful_fold',
  'not_sure',
]);
export type NailChange = z.infer<typeof NailChange>;

export const HairChange = enumeration('HairChange', 'What has changed in the hair.', [
  'none',
  'patchy_loss',
  'diffuse_thinning',
  'scarring_loss',
  'breakage',
  'scaling',
]);
export type HairChange = z.infer<typeof HairChange>;
