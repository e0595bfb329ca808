import { atLeast, has, inRegion, isAt, unsureOf } from '../conditions.ts';
import { onLeg, onLimb, onOneLeg, onOneLimb, ulcer, warm } from '../findings/appearance.ts';
import {
  forYears,
  markLike,
  painful,
  pregnant,
  quickOnset,
  recentOrOfToday,
  upToFourWeeks,
  upToOneWeek,
  worseningFast,
} from '../findings/illness.ts';
import type { RedFlagRule } from './red-flag-rule.ts';
import { all, not, onlyIfShown, some, unlessExcluded } from '../answer-logic.ts';

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

const afterPregnancy = has('patient.pregnancyStatus', 'postpartum', 'breastfeeding');

const failingLimb = some(
  all(painful, atLeast('symptoms.painSeverity', 5)),
  has('symptoms.local', 'numbness'),
  has('symptoms.systemic', 'muscle_weakness'),
);

/** Arteries and veins of the limbs. */
export const vesselRules: readonly RedFlagRule[] = [
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
