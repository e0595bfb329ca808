import { has, inRegion, unsureOf } from '../conditions.ts';
import { nonBlanching, purpura, purplePatches } from '../findings/purple.ts';
import {
  febrile,
  fever,
  forWeeks,
  painful,
  poorGeneralState,
  quickOnset,
  rashLike,
  recentOrIllWith,
  recentOrOfToday,
  spreadingWithinHours,
  unwellChild,
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
/** Two or more regions; a bruise in one region is usually due to a knock. */
const inTwoRegions: Condition = ({ locations = [] }) => {
  if (locations.length === 0) return open('locations[].primary');
  const regions = new Set(locations.map(({ primary }) => primary));
  return decided(regions.has('generalized') || regions.size >= 2);
};

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
];
