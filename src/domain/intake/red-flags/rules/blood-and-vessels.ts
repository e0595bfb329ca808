import { atLeast, has, inRegion, isAt } from '../conditions.ts';
import {
  nonBlanching,
  purpura,
  onLeg,
  onLimb,
  onOneLeg,
  purplePatches,
  ulcer,
  warm,
} from '../findings/appearance.ts';
import {
  febrile,
  fever,
  markLike,
  painful,
  poorGeneralState,
  pregnant,
  rashLike,
  recentOrIllWith,
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

/** Chilblains and Raynaud affect both sides and recur in the cold. */
const neitherChilblainNorRaynaud = all(
  unlessExcluded(not(has('complaint.course', 'recurrent', 'seasonal'))),
  unlessExcluded(not(has('lesion.distribution', 'symmetrical'))),
);

/** Two or more regions; a bruise in one region is usually due to a knock. */
const inTwoRegions: Condition = ({ locations = [] }) => {
  if (locations.length === 0) return open('locations[].primary');
  const regions = new Set(locations.map(({ primary }) => primary));
  return decided(regions.has('generalized') || regions.size >= 2);
};

/** A bite that swells itches; one of the past weeks that does not is no cause of a painful leg. */
const itchyBite = all(
  has('exposures.recent', 'insect_bite'),
  unlessExcluded(has('symptoms.local', 'itching')),
);

const afterPregnancy = has('patient.pregnancyStatus', 'postpartum', 'breastfeeding');

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
    id: 'RF84',
    flag: 'non_blanching_rash_unwell',
    urgency: 'emergency',
    source: 'NICE NG240 1.1: fever, headache, vomiting and a rash nobody has pressed a glass on',
    key: all(febrile, has('symptoms.systemic', 'headache'), has('symptoms.systemic', 'vomiting')),
    when: all(upToOneWeek, rashLike, nonBlanching),
  },
  {
    id: 'RF07',
    flag: 'non_blanching_rash',
    urgency: 'high',
    source: 'NICE NG240 1.1, NG143: same-day assessment; NICE NG12 1.10: leukaemia, very urgent blood count',
    key: purple,
    when: all(
      unlessExcluded(not(has('lesion.count', 'single'))),
      some(
        all(upToOneWeek, nonBlanching),
        all(
          some(purpura, purplePatches, has('lesion.blanching', 'non_blanching')),
          has('complaint.duration', 'one_to_four_weeks', 'one_to_three_months'),
          some(
            has('symptoms.local', 'bleeding'),
            fever,
            has('symptoms.systemic', 'fatigue', 'night_sweats', 'weight_loss', 'mouth_sores'),
          ),
        ),
      ),
    ),
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
    key: all(some(purpura, purplePatches), has('symptoms.local', 'bleeding')),
    when: all(inTwoRegions, unlessExcluded(upToThreeMonths)),
  },
  {
    id: 'RF48',
    flag: 'possible_limb_ischaemia',
    urgency: 'emergency',
    source: 'NICE CG147; CKS Peripheral arterial disease: acute limb ischaemia',
    key: all(onLimb, some(has('lesion.skinTemperature', 'cool'), all(pale, failingLimb))),
    when: all(
      upToOneWeek,
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
    when: all(neitherChilblainNorRaynaud, some(failingLimb, has('lesion.colors', 'black'))),
  },
  {
    id: 'RF49',
    flag: 'possible_deep_vein_thrombosis',
    urgency: 'high',
    source: 'NICE NG158 1.1: suspected deep vein thrombosis, same day',
    key: all(onLeg, painful, has('lesion.swellingSites', 'limb')),
    when: all(some(upToFourWeeks, worseningFast), onOneLeg, unlessExcluded(not(itchyBite))),
  },
  {
    id: 'RF87',
    flag: 'possible_deep_vein_thrombosis',
    urgency: 'high',
    source: 'RCOG Green-top Guideline 37b: suspected thrombosis in pregnancy and after it, same day',
    key: all(onLeg, painful, some(pregnant, afterPregnancy)),
    when: all(
      upToFourWeeks,
      onOneLeg,
      some(
        has('lesion.swellingSites', 'limb'),
        all(warm, unlessExcluded(has('lesion.lesionTypes', 'no_visible_lesion'))),
      ),
      unlessExcluded(not(itchyBite)),
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
