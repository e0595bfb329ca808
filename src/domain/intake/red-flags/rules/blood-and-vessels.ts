import { atLeast, has, inRegion, isAt, unsureOf } from '../conditions.ts';
import {
  nonBlanching,
  purpura,
  onLeg,
  onLimb,
  onOneLeg,
  onOneLimb,
  purplePatches,
  ulcer,
  warm,
} from '../findings/appearance.ts';
import {
  febrile,
  fever,
  forWeeks,
  forYears,
  markLike,
  painful,
  poorGeneralState,
  pregnant,
  quickOnset,
  rashLike,
  recentOrIllWith,
  recentOrOfToday,
  spreadingWithinHours,
  unwellChild,
  upToFourWeeks,
  upToOneWeek,
  upToThreeMonths,
  worseningFast,
} from '../findings/illness.ts';
import type { RedFlagRule } from './red-flag-rule.ts';
import {
  all,
  type Condition,
  decided,
  not,
  onlyIfShown,
  open,
  some,
  unlessExcluded,
} from '../answer-logic.ts';

const purple = some(nonBlanching, purplePatches);
/** Purple alone is enough to ask for the glass test, also where a rash below is old. */
const purpleOrMayBe = some(purple, has('lesion.colors', 'purple'));
const pale = has('lesion.colors', 'white', 'blue', 'grey', 'purple');
/** A hard strand under the skin. */
const cordLike = some(
  onlyIfShown(has('lesion.arrangement', 'linear')),
  onlyIfShown(has('lesion.shape', 'linear')),
  onlyIfShown(has('lesion.textures', 'firm_or_hard')),
);

/** Chilblains and Raynaud affect both sides, or recur in the cold. They explain neither black skin nor a sore, nor fast worsening. */
const chilblainOrRaynaud = all(
  some(
    has('complaint.course', 'recurrent', 'seasonal'),
    onlyIfShown(has('lesion.distribution', 'symmetrical')),
  ),
  not(some(onlyIfShown(worseningFast), onlyIfShown(ulcer), onlyIfShown(has('lesion.colors', 'black')))),
);
const neitherChilblainNorRaynaud = unlessExcluded(not(chilblainOrRaynaud));
/** Toes that have been white and blue for years may be Raynaud's: whether they come and go is asked first. */
const noRaynaudOfYears = some(
  unlessExcluded(not(all(forYears, not(onlyIfShown(worseningFast))))),
  onlyIfShown(some(ulcer, has('lesion.colors', 'black'))),
  not(has('complaint.course', 'recurrent', 'seasonal')),
);

/** Two or more regions; a bruise in one region is usually due to a knock. */
const inTwoRegions: Condition = ({ locations = [] }) => {
  if (locations.length === 0) return open('locations[].primary');
  const regions = new Set(locations.map(({ primary }) => primary));
  return decided(regions.has('generalized') || regions.size >= 2);
};

/** Explains a swollen arm only where it can be seen and itches; of a leg it explains nothing. */
const itchyBiteOfArm = all(
  inRegion('arm', 'hand'),
  not(onLeg),
  has('exposures.recent', 'insect_bite'),
  has('symptoms.local', 'itching'),
  onlyIfShown(has('lesion.lesionTypes', 'wheal', 'papule', 'patch')),
);

/** "Not sure" about it is no "no" where nothing is to be seen that explains the pain. */
const swollenLimb = some(
  has('lesion.swellingSites', 'limb'),
  all(unsureOf('lesion.swellingSites'), onlyIfShown(has('lesion.lesionTypes', 'no_visible_lesion'))),
);

/** Both sides swell with the heart and the veins, slowly. */
const oneLimbOrAcute = some(
  onOneLimb,
  worseningFast,
  has('complaint.duration', 'one_day'),
  onlyIfShown(quickOnset),
);

/** A knock leaves one flat mark in one place that turns yellow and fades. */
const mayBeBruise = all(
  not(inTwoRegions),
  onlyIfShown(
    all(has('lesion.lesionTypes', 'patch'), not(has('lesion.lesionTypes', 'macule', 'papule', 'purpura'))),
  ),
  not(
    some(
      has('lesion.colors', 'black'),
      febrile,
      onlyIfShown(worseningFast),
      onlyIfShown(has('symptoms.local', 'bleeding')),
    ),
  ),
);
const fading = all(has('complaint.progression', 'improving'), has('lesion.colors', 'yellow'));
/** A single one, or one that fades: asked for where the rest looks like a bruise. Not sure is no "yes". */
const noBruise = some(
  not(onlyIfShown(mayBeBruise)),
  all(unsureOf('lesion.count'), not(onlyIfShown(fading))),
  not(has('lesion.count', 'single')),
);

const afterPregnancy = has('patient.pregnancyStatus', 'postpartum', 'breastfeeding');

const maySpot = some(
  has('lesion.lesionTypes', 'macule', 'papule', 'patch', 'purpura'),
  unsureOf('lesion.lesionTypes'),
  onlyIfShown(has('lesion.blanching', 'non_blanching')),
  onlyIfShown(has('lesion.colors', 'purple')),
);
const illForWeeks = all(
  forWeeks,
  some(
    has('symptoms.local', 'bleeding'),
    fever,
    has('symptoms.systemic', 'fatigue', 'night_sweats', 'weight_loss', 'mouth_sores'),
  ),
);

/** The glass test was not made, or they do not fade. */
const notKnownToFade = some(has('lesion.blanching', 'non_blanching'), unsureOf('lesion.blanching'));
/** Small spots on which nobody has pressed a glass, or that do not fade: a patch in red alone is more often an erysipelas. */
const mayBeSepticSpots = all(
  unlessExcluded(
    some(has('lesion.lesionTypes', 'macule', 'papule', 'purpura'), unsureOf('lesion.lesionTypes')),
  ),
  notKnownToFade,
);
const unsurePatches = all(
  unsureOf('lesion.colors'),
  has('lesion.lesionTypes', 'patch', 'macule'),
  unlessExcluded(not(has('lesion.blanching', 'blanches'))),
);
/** On dark skin purpura looks brown, black or grey, and colours are left out. */
const darkOrUnsureSpots = all(
  unlessExcluded(has('lesion.colors', 'brown', 'black', 'grey', 'purple', 'blue')),
  not(onlyIfShown(has('lesion.colors', 'red', 'pink'))),
);

/** Neither kind nor colour can be told, and no glass says that it fades. */
const unseen = all(
  unsureOf('lesion.lesionTypes'),
  unsureOf('lesion.colors'),
  not(onlyIfShown(has('lesion.blanching', 'blanches'))),
);

const failingLimb = some(
  all(painful, atLeast('symptoms.painSeverity', 5)),
  has('symptoms.local', 'numbness'),
  has('symptoms.systemic', 'muscle_weakness'),
);

export const bloodAndVesselRules: readonly RedFlagRule[] = [
  {
    id: 'RF06',
    flag: 'non_blanching_rash_unwell',
    urgency: 'emergency',
    source: 'NICE NG240 1.1: meningococcal disease; Meningitis Now, glass test',
    key: purple,
    when: all(
      // Spots that a person with an old rash has tested, or names as purple, are of now when they spread or come with a fever.
      recentOrIllWith(purpleOrMayBe, some(worseningFast, all(purpura, fever))),
      some(
        febrile,
        poorGeneralState,
        unwellChild,
        all(some(unlessExcluded(upToOneWeek), onlyIfShown(purpura)), spreadingWithinHours),
        has('symptoms.systemic', 'vomiting'),
      ),
    ),
  },
  {
    id: 'RF90',
    flag: 'non_blanching_rash_unwell',
    urgency: 'emergency',
    source: 'NICE NG240 1.1: leg pain and rapid spread, on brown and black skin too; Meningitis Now',
    key: all(febrile, mayBeSepticSpots),
    when: all(
      some(spreadingWithinHours, all(recentOrOfToday(upToOneWeek), darkOrUnsureSpots)),
      painful,
      inRegion('leg', 'arm', 'hand', 'foot', 'generalized'),
    ),
  },
  {
    id: 'RF84',
    flag: 'non_blanching_rash_unwell',
    urgency: 'emergency',
    source: 'NICE NG240 1.1: fever, headache, vomiting and a rash nobody has pressed a glass on',
    key: all(febrile, has('symptoms.systemic', 'headache'), has('symptoms.systemic', 'vomiting')),
    when: all(recentOrOfToday(upToOneWeek), rashLike, some(nonBlanching, unseen)),
  },
  {
    id: 'RF07',
    flag: 'non_blanching_rash',
    urgency: 'high',
    source: 'NICE NG240 1.1, NG143: same-day assessment; NICE NG12 1.10: leukaemia, very urgent blood count',
    // An old problem is asked for its colours only where it is worse, or the person is ill.
    key: all(
      some(
        unlessExcluded(upToOneWeek),
        illForWeeks,
        all(onlyIfShown(purpura), quickOnset),
        all(maySpot, recentOrOfToday(upToOneWeek)),
      ),
      purple,
    ),
    when: all(
      noBruise,
      // A nail cannot be pressed.
      unlessExcluded(not(has('complaint.category', 'nail_problem'))),
      some(
        all(some(recentOrOfToday(upToOneWeek), all(onlyIfShown(purpura), quickOnset)), nonBlanching),
        all(illForWeeks, has('symptoms.local', 'bleeding'), nonBlanching),
        all(some(purpura, purplePatches, onlyIfShown(nonBlanching)), illForWeeks),
      ),
    ),
  },
  {
    id: 'RF104',
    flag: 'non_blanching_rash',
    urgency: 'medium',
    source: 'NICE NG240 1.1, Meningitis Now: purpura on brown and black skin, glass test not made',
    key: all(
      rashLike,
      some(has('lesion.lesionTypes', 'macule', 'purpura'), unsureOf('lesion.lesionTypes')),
      recentOrOfToday(unlessExcluded(upToOneWeek)),
      darkOrUnsureSpots,
      notKnownToFade,
    ),
    when: recentOrOfToday(upToOneWeek),
  },
  {
    id: 'RF29',
    flag: 'possible_vasculitis',
    urgency: 'high',
    source: 'NICE CKS / DermNet, IgA vasculitis: joints, gut or kidneys involved',
    key: nonBlanching,
    when: has('symptoms.systemic', 'joint_pain', 'abdominal_pain', 'dark_urine'),
  },
  {
    id: 'RF79',
    flag: 'possible_vasculitis',
    urgency: 'high',
    source: 'NICE CKS / DermNet, IgA vasculitis and lupus: a rash with signs of the kidneys and the joints',
    key: all(
      has('symptoms.systemic', 'dark_urine'),
      some(
        has('symptoms.systemic', 'joint_pain'),
        has('lesion.swellingSites', 'joints', 'eyelids', 'hands_or_feet'),
      ),
    ),
    when: rashLike,
  },
  {
    id: 'RF83',
    flag: 'unusual_bleeding',
    urgency: 'high',
    source: 'NICE NG12 1.10: bruising and bleeding, very urgent blood count; NICE NG249 (anticoagulants)',
    key: all(some(purpura, purplePatches, onlyIfShown(unsurePatches)), has('symptoms.local', 'bleeding')),
    when: all(inTwoRegions, recentOrOfToday(unlessExcluded(upToThreeMonths))),
  },
  {
    id: 'RF48',
    flag: 'possible_limb_ischaemia',
    urgency: 'emergency',
    source: 'NICE CG147; CKS Peripheral arterial disease: acute limb ischaemia',
    // An old problem is one of now only where it is said to be worse.
    key: all(
      onLimb,
      recentOrOfToday(unlessExcluded(upToOneWeek)),
      some(has('lesion.skinTemperature', 'cool'), all(pale, failingLimb)),
    ),
    when: all(
      recentOrOfToday(upToOneWeek),
      neitherChilblainNorRaynaud,
      has('lesion.skinTemperature', 'cool'),
      pale,
      failingLimb,
    ),
  },
  {
    id: 'RF82',
    flag: 'possible_limb_ischaemia',
    urgency: 'high',
    source: 'NICE CG147 1.5: critical limb ischaemia: rest pain, ulcer or gangrene of a cool limb',
    key: all(
      inRegion('hand', 'leg', 'foot', 'nails'),
      // Asked about only with another sign, or every spot on a leg would raise the question.
      some(
        onlyIfShown(has('lesion.skinTemperature', 'cool')),
        all(
          some(onlyIfShown(has('lesion.colors', 'black', 'blue')), has('symptoms.local', 'numbness')),
          has('lesion.skinTemperature', 'cool'),
        ),
      ),
      some(failingLimb, ulcer, has('lesion.colors', 'black')),
    ),
    when: all(neitherChilblainNorRaynaud, noRaynaudOfYears, some(failingLimb, has('lesion.colors', 'black'))),
  },
  {
    id: 'RF49',
    flag: 'possible_deep_vein_thrombosis',
    urgency: 'high',
    source: 'NICE NG158 1.1: suspected deep vein thrombosis of leg or arm, same day',
    key: all(
      inRegion('leg', 'foot', 'arm', 'hand'),
      painful,
      some(has('lesion.swellingSites', 'limb'), onlyIfShown(has('lesion.lesionTypes', 'no_visible_lesion'))),
    ),
    when: all(
      swollenLimb,
      some(upToFourWeeks, worseningFast),
      oneLimbOrAcute,
      unlessExcluded(not(itchyBiteOfArm)),
    ),
  },
  {
    id: 'RF87',
    flag: 'possible_deep_vein_thrombosis',
    urgency: 'high',
    source: 'RCOG Green-top Guideline 37b: suspected thrombosis in pregnancy and after it, same day',
    key: all(onLeg, painful, some(pregnant, afterPregnancy)),
    // Whatever the side: the risk is five times that of others, and both legs can be affected.
    when: all(
      some(upToFourWeeks, worseningFast),
      some(swollenLimb, all(onOneLimb, warm, unlessExcluded(has('lesion.lesionTypes', 'no_visible_lesion')))),
    ),
  },
  {
    id: 'RF74',
    flag: 'possible_phlebitis',
    urgency: 'medium',
    source: 'NICE CG168 1.2; CKS Superficial vein thrombosis',
    key: all(onLeg, painful, some(has('history.medicalConditions', 'venous_insufficiency'), cordLike)),
    when: all(
      unlessExcluded(upToFourWeeks),
      unlessExcluded(onOneLeg),
      some(has('lesion.skinTemperature', 'warm', 'hot'), cordLike),
    ),
  },
  {
    id: 'RF50',
    flag: 'bleeding_varicose_vein',
    urgency: 'high',
    source: 'NICE CG168 1.2: bleeding varicose veins, immediate referral',
    key: all(some(onLeg, onlyIfShown(isAt('ankle', 'shin', 'calf'))), has('symptoms.local', 'bleeding')),
    when: all(
      unlessExcluded(not(markLike)),
      upToOneWeek,
      has('history.medicalConditions', 'venous_insufficiency'),
    ),
  },
];
