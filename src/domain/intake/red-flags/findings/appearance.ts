import type { PartialAnamnesis } from '../../anamnesis/anamnesis.schemas.ts';
import type { BodySurfaceExtent } from '../../anamnesis/vocabulary/lesion-appearance.ts';
import type { LocationPrimary, LocationSecondary } from '../../anamnesis/vocabulary/locations.ts';
import { extentAtLeast, has, inRegion, isAt, regionOf, unsureOf } from '../conditions.ts';
import { worsening } from './illness.ts';
import {
  all,
  type Condition,
  decided,
  met,
  not,
  onlyIfShown,
  open,
  some,
  unlessExcluded,
  unmet,
} from '../answer-logic.ts';

/** Sores of mouth, lips, eyes, genitals or anus. */
export const mucosalSores: Condition = some(
  onlyIfShown(has('symptoms.systemic', 'mouth_sores')),
  has('lesion.mucosalSites', 'mouth', 'lips', 'eyes', 'genitals', 'anus', 'nose'),
);

/** Two mucous membranes or more. */
export const severalMucosae: Condition = ({ lesion: { mucosalSites } = {} }) => {
  if (mucosalSites === undefined) return open('lesion.mucosalSites');
  const sites = mucosalSites.filter((site) => site !== 'none' && site !== 'not_sure');
  if (sites.length >= 2) return met;
  return mucosalSites.includes('not_sure') ? open('lesion.mucosalSites') : unmet;
};

export const peeling: Condition = has('lesion.surfaceChanges', 'peeling', 'peeling_in_sheets');

/** The top layer comes off: large blisters, raw places or peeling. */
export const skinDetachment: Condition = some(
  has('lesion.lesionTypes', 'bulla', 'erosion'),
  has('lesion.surfaceChanges', 'peeling', 'peeling_in_sheets'),
);

export const vesicles: Condition = has('lesion.lesionTypes', 'vesicle');

/** "Not sure" what it looks like, but grouped, along a nerve or filled with fluid: may be vesicles. */
export const vesiclesOrUnsure: Condition = some(
  vesicles,
  all(
    unsureOf('lesion.lesionTypes'),
    onlyIfShown(
      some(has('lesion.arrangement', 'grouped', 'dermatomal'), has('lesion.textures', 'fluid_filled')),
    ),
  ),
);

/**
 * Small blisters or wheals and nothing that they do not explain, such as chickenpox or hives. Beside a patch or a sore they are a
 * further finding, not the answer.
 */
export const only =
  (...types: NonNullable<NonNullable<PartialAnamnesis['lesion']>['lesionTypes']>): Condition =>
  ({ lesion: { lesionTypes } = {} }) => {
    if (lesionTypes === undefined) return open('lesion.lesionTypes');
    if (lesionTypes.includes('not_sure')) return unmet;
    return decided(lesionTypes.length > 0 && lesionTypes.every((type) => types.includes(type)));
  };

/** Vesicles with the spots that come before and the crusts that come after them. */
export const onlyVesicles: Condition = all(vesicles, only('vesicle', 'macule', 'papule', 'pustule'));
export const onlyWheals: Condition = only('wheal', 'papule');

export const blisters: Condition = has('lesion.lesionTypes', 'vesicle', 'bulla');

const manyRegions = (locations: PartialAnamnesis['locations'] = []) =>
  locations.some(({ primary }) => primary === 'generalized') ||
  new Set(locations.map(({ primary }) => primary)).size >= 4;

/** Few spots or one place: not widespread, whatever the answer about the extent. */
const confined = some(
  onlyIfShown(has('lesion.count', 'single', 'two_to_five')),
  onlyIfShown(has('lesion.distribution', 'localized', 'unilateral')),
  onlyIfShown(has('lesion.arrangement', 'dermatomal')),
);

/** Regions of less than a tenth of the body each (rule of nines). */
const smallRegions: ReadonlySet<unknown> = new Set([
  'nails',
  'mouth',
  'hand',
  'foot',
  'head_neck',
  'groin_genitals',
  'buttocks',
]);

const inOneSmallRegion: Condition = ({ locations = [] }) => {
  const regions = new Set(locations.map(({ primary }) => primary));
  return decided(regions.size === 1 && [...regions].every((region) => smallRegions.has(region)));
};

/** At least a tenth of the body, generalized, or in at least four regions. */
export const wide: Condition = (anamnesis) => {
  if (onlyIfShown(extentAtLeast('from_10_to_30_percent'))(anamnesis).value) return met;
  if (anamnesis.lesion?.distribution === 'generalized' || manyRegions(anamnesis.locations)) return met;
  if (confined(anamnesis).value || inOneSmallRegion(anamnesis).value) return unmet;
  return extentAtLeast('from_10_to_30_percent')(anamnesis);
};

/** Generalized by its distribution, or in at least three regions. */
export const generalized: Condition = some(
  onlyIfShown(has('lesion.distribution', 'generalized')),
  ({ locations = [] }) => {
    if (locations.length === 0) return open('locations[].primary');
    const regions = new Set(locations.map(({ primary }) => primary));
    return decided(regions.has('generalized') || regions.size >= 3);
  },
);

/** An extent of at least `minimum`, asked about only when the problem is in many places. */
const largePart = (minimum: BodySurfaceExtent): Condition =>
  some(onlyIfShown(extentAtLeast(minimum)), all(generalized, not(confined), extentAtLeast(minimum)));

export const mostOfTheBody: Condition = largePart('from_50_to_90_percent');
export const allOfTheBody: Condition = largePart('over_90_percent');

export const hot: Condition = has('lesion.skinTemperature', 'hot');
export const warm: Condition = has('lesion.skinTemperature', 'warm', 'hot');

export const pus: Condition = has('lesion.discharge', 'pus', 'mixed');

/** Dead or dying skin. */
export const darkColors: Condition = has('lesion.colors', 'black', 'grey', 'purple', 'blue');

type Places = NonNullable<PartialAnamnesis['locations']>;

/** On one side only: by distribution, along one nerve, or one side of the paired places that count. */
const oneSidedAt =
  (placesOf: (places: Places) => Places): Condition =>
  ({ lesion: { distribution, arrangement } = {}, locations = [] }) => {
    if (distribution === 'unilateral' || arrangement === 'dermatomal') return met;
    if (distribution === 'symmetrical' || distribution === 'generalized') return unmet;
    const sides = sidesOf(placesOf(locations));
    if (hasTwo(sides)) return unmet;
    if (sides.has('left') || sides.has('right')) return met;
    return open('locations[].side', 'lesion.distribution');
  };

const sidesOf = (places: Places) => new Set(places.map(({ side }) => side));

const hasTwo = (sides: ReturnType<typeof sidesOf>) =>
  sides.has('both') || (sides.has('left') && sides.has('right'));

/** Places whose part of the body has it on both sides are left out: these may be of a second problem. */
const placesOfOneSidedParts = (places: Places): Places => {
  const parts = [...Map.groupBy(places, regionOf).values()];
  const oneSided = parts.filter((part) => !hasTwo(sidesOf(part)));
  // With every part two-sided, so is the whole.
  return oneSided.length === 0 ? places : oneSided.flat();
};

const oneSided = oneSidedAt((places) => places);

/** One side in all, or but for parts of the body that have it on both sides. */
export const oneSidedInPart: Condition = some(oneSided, oneSidedAt(placesOfOneSidedParts));

/** One side of at least one place, whichever side the other places have it on: these may be of a second problem. */
export const oneSidedSomewhere: Condition = ({ lesion: { distribution } = {}, locations = [] }) => {
  if (distribution === 'symmetrical' || distribution === 'generalized') return unmet;
  const places = Map.groupBy(locations, ({ primary, secondary }) => secondary ?? primary).values();
  const sides = [...places].map(sidesOf);
  return decided(sides.some((place) => !hasTwo(place) && (place.has('left') || place.has('right'))));
};

const within = (regions: readonly LocationPrimary[]) => (places: Places) =>
  places.filter((place) => {
    const region = regionOf(place);
    return region !== undefined && regions.includes(region);
  });

const headRegions: readonly LocationPrimary[] = ['head_neck'];

export const onHead: Condition = inRegion(...headRegions);

/** One side in all, or of the head: a second problem elsewhere, such as at both elbows, does not make it two-sided. */
export const oneSidedOfHead: Condition = some(oneSided, oneSidedAt(within(headRegions)));

/** Places from which shingles or an infection can reach the eye. */
export const nearTheEye: Condition = isAt(
  'forehead',
  'temple',
  'eyebrow',
  'eyelid',
  'around_eye',
  'nose',
  'cheek',
  'face',
);

export const onLimb: Condition = inRegion('arm', 'hand', 'leg', 'foot', 'nails');
const legRegions: readonly LocationPrimary[] = ['leg', 'foot'];

export const onLeg: Condition = inRegion(...legRegions);

/** One leg: a second problem elsewhere, such as at both elbows, does not make a swollen leg two-sided. */
export const onOneLeg: Condition = oneSidedAt(within(legRegions));

/** Of the legs, or of the arms where no leg is affected. */
const limbPlaces = (places: Places): Places => {
  const onLegs = within(legRegions)(places);
  return onLegs.length > 0 ? onLegs : within(['arm', 'hand'])(places);
};

/** One side of a limb, whatever else is there: an old finding of the other side excludes no clot. */
export const onOneLimb: Condition = some(oneSidedAt(limbPlaces), ({ locations = [] }) =>
  oneSidedSomewhere({ locations: limbPlaces(locations) }),
);

const breastPlaces: readonly LocationSecondary[] = ['breast', 'nipple'];

export const onBreast: Condition = isAt(...breastPlaces);

/** One side in all, or one breast. */
export const oneSidedOfBreast: Condition = some(
  oneSided,
  oneSidedAt((places) =>
    places.filter(({ secondary }) => secondary !== undefined && breastPlaces.includes(secondary)),
  ),
);

export const ulcer: Condition = some(
  has('lesion.lesionTypes', 'ulcer'),
  has('lesion.surfaceChanges', 'ulcerated'),
);

/** Raised above the skin, in any of its terms. */
export const raised: Condition = some(
  has('lesion.elevation', 'raised', 'slightly_raised', 'mixed'),
  onlyIfShown(has('lesion.lesionTypes', 'nodule', 'papule', 'plaque', 'cyst')),
  onlyIfShown(has('lesion.shape', 'dome_shaped')),
  onlyIfShown(has('lesion.textures', 'raised_or_bumpy')),
);

/** It grew, or was not there before. */
export const growing: Condition = some(has('lesion.changes', 'size', 'new_lesion'), onlyIfShown(worsening));

export const ringShaped: Condition = some(
  onlyIfShown(has('lesion.shape', 'ring', 'target')),
  onlyIfShown(has('lesion.arrangement', 'ring_shaped', 'target_like')),
  onlyIfShown(has('lesion.colorPattern', 'central_clearing')),
  has('lesion.shape', 'ring', 'target'),
);

export const scaly: Condition = has(
  'lesion.surfaceChanges',
  'scaly',
  'greasy_scale',
  'silvery_scale',
  'peeling',
);

/** No visible change except scratch marks. */
export const noVisibleRash: Condition = some(
  has('lesion.lesionTypes', 'no_visible_lesion'),
  all(
    unlessExcluded(
      not(
        has(
          'lesion.lesionTypes',
          'papule',
          'plaque',
          'patch',
          'macule',
          'wheal',
          'vesicle',
          'bulla',
          'pustule',
        ),
      ),
    ),
    has('lesion.surfaceChanges', 'scratch_marks'),
  ),
);

export const palmsOrSoles: Condition = some(
  onlyIfShown(has('lesion.distribution', 'palms_and_soles')),
  isAt('palm', 'sole'),
);

export const palmsAndSoles: Condition = some(
  onlyIfShown(has('lesion.distribution', 'palms_and_soles')),
  all(isAt('palm'), isAt('sole')),
);

/** People at home, at school or at work have the same problem. */
export const sameRashNearby = some(
  has(
    'exposures.contactsAffected',
    'household_same_rash',
    'school_or_work',
    'chickenpox_or_shingles',
    'measles',
    'rubella_or_slapped_cheek',
  ),
  onlyIfShown(has('exposures.recent', 'similar_rash_contact')),
);

/** The skin itself has turned yellow: it is the only visible change, or the complaint. */
export const yellowSkin: Condition = all(
  some(
    onlyIfShown(has('complaint.category', 'pigmentary_problem')),
    has('lesion.lesionTypes', 'no_visible_lesion'),
  ),
  has('lesion.colors', 'yellow'),
);

/** Open, wet, scaly or cracked. */
export const raw = some(
  ulcer,
  has('lesion.lesionTypes', 'erosion', 'nodule'),
  has('lesion.surfaceChanges', 'scaly', 'crusted', 'weeping', 'ulcerated', 'cracked'),
  onlyIfShown(has('lesion.discharge', 'clear', 'blood', 'pus', 'mixed')),
);
