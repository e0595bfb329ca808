import { ageFrom, has, inRegion, isAt, unsureOf } from '../conditions.ts';
import {
  onBreast,
  oneSidedOfBreast,
  raw,
  ulcer,
  generalized,
  only,
  yellowSkin,
} from '../findings/appearance.ts';
import {
  febrile,
  forMonths,
  forYears,
  fromOneWeek,
  painful,
  rashLike,
  worseningFast,
} from '../findings/illness.ts';
import type { RedFlagRule } from './red-flag-rule.ts';
import { all, not, onlyIfShown, some, unlessExcluded } from '../answer-logic.ts';

/** By its name, or by its spots in a person who has had it. */
const acne = some(
  has('complaint.category', 'acne'),
  onlyIfShown(has('lesion.lesionTypes', 'comedo')),
  onlyIfShown(
    all(has('history.skinConditions', 'acne'), has('lesion.lesionTypes', 'pustule', 'nodule', 'cyst')),
  ),
);

/** Inflammatory breast cancer has an intact surface and grows within weeks; vesicles and wheals are another thing. */
const redThickOrWarm = all(
  some(
    has('lesion.colors', 'red', 'pink', 'purple', 'brown', 'grey'),
    unsureOf('lesion.colors'),
    has('lesion.skinTemperature', 'warm', 'hot'),
    has('lesion.textures', 'thickened', 'firm_or_hard'),
  ),
  unlessExcluded(not(only('vesicle', 'wheal', 'comedo', 'pustule'))),
);

const genitals = isAt('penis', 'vulva', 'scrotum', 'perianal', 'perineum');

/** An itch without a rash, caused by the liver. */
const itchWithDarkUrine = all(
  has('symptoms.systemic', 'dark_urine'),
  has('symptoms.local', 'itching'),
  has('lesion.lesionTypes', 'no_visible_lesion'),
);

/** Illnesses that show on the skin over weeks and months. */
export const longStandingRules: readonly RedFlagRule[] = [
  {
    id: 'RF64',
    flag: 'one_sided_breast_eczema',
    urgency: 'medium',
    source: 'NICE NG12 1.4: nipple or skin change that suggests breast cancer (Paget disease)',
    key: onBreast,
    when: all(
      unlessExcluded(oneSidedOfBreast),
      some(
        all(
          unlessExcluded(rashLike),
          unlessExcluded(ageFrom(30)),
          unlessExcluded(forMonths),
          unlessExcluded(raw),
        ),
        all(
          fromOneWeek,
          some(unlessExcluded(not(forYears)), worseningFast),
          unlessExcluded(ageFrom(18)),
          redThickOrWarm,
        ),
      ),
    ),
  },
  {
    id: 'RF65',
    flag: 'rash_with_muscle_weakness',
    urgency: 'medium',
    source: 'DermNet / PCDS, Dermatomyositis: urgent referral',
    key: some(
      has('symptoms.systemic', 'muscle_weakness'),
      all(isAt('eyelid'), has('lesion.colors', 'purple')),
    ),
    when: all(
      rashLike,
      unlessExcluded(fromOneWeek),
      some(
        has('symptoms.systemic', 'muscle_weakness'),
        isAt('knuckles'),
        onlyIfShown(has('lesion.swellingSites', 'eyelids')),
      ),
    ),
  },
  {
    id: 'RF66',
    flag: 'persistent_mouth_ulcer',
    urgency: 'medium',
    source: 'NICE NG12 1.8: oral cancer, unexplained ulcer for more than 3 weeks',
    key: some(inRegion('mouth'), onlyIfShown(has('lesion.mucosalSites', 'mouth', 'lips'))),
    when: all(
      forMonths,
      unlessExcluded(not(has('complaint.course', 'recurrent'))),
      some(
        unlessExcluded(some(ulcer, has('lesion.lesionTypes', 'erosion', 'nodule'))),
        has('symptoms.systemic', 'mouth_sores'),
      ),
    ),
  },
  {
    id: 'RF67',
    flag: 'genital_sore_or_growth',
    urgency: 'medium',
    source: 'NICE NG12 1.5 and 1.6: vulval and penile cancer; BASHH, anogenital ulcers',
    key: some(
      genitals,
      all(
        inRegion('groin_genitals'),
        unlessExcluded(genitals),
        some(ulcer, onlyIfShown(has('lesion.mucosalSites', 'genitals'))),
      ),
    ),
    when: some(
      ulcer,
      has('lesion.lesionTypes', 'erosion', 'nodule'),
      all(has('symptoms.local', 'bleeding'), unlessExcluded(forMonths)),
    ),
  },
  {
    id: 'RF68',
    flag: 'long_illness',
    urgency: 'medium',
    source: 'NICE NG12 1.10: weight loss or night sweats with a lasting skin problem',
    key: has('symptoms.systemic', 'weight_loss', 'night_sweats'),
    // A problem that has been there for many years is not the cause, unless it has changed.
    when: some(
      unlessExcluded(forMonths),
      all(
        has('complaint.duration', 'more_than_five_years', 'since_childhood'),
        some(
          has('lesion.swellingSites', 'lymph_nodes'),
          ulcer,
          has('lesion.lesionTypes', 'nodule'),
          onlyIfShown(worseningFast),
        ),
      ),
    ),
  },
  {
    id: 'RF78',
    flag: 'possible_jaundice',
    urgency: 'medium',
    source: 'NICE NG12 1.2: jaundice, suspected cancer pathway',
    key: some(yellowSkin, itchWithDarkUrine),
    when: all(
      some(generalized, onlyIfShown(has('symptoms.systemic', 'dark_urine'))),
      some(
        unlessExcluded(not(has('complaint.duration', 'more_than_five_years', 'since_childhood'))),
        onlyIfShown(worseningFast),
      ),
    ),
  },
  {
    id: 'RF69',
    flag: 'possible_acne_fulminans',
    urgency: 'high',
    source: 'NICE NG198 1.4: acne fulminans, same-day assessment',
    key: all(acne, some(febrile, has('symptoms.systemic', 'joint_pain'))),
    when: some(worseningFast, ulcer, painful, has('lesion.surfaceChanges', 'crusted')),
  },
  {
    id: 'RF32',
    flag: 'self_harm_risk',
    urgency: 'high',
    source: 'NICE NG225 1.1: safeguarding',
    key: has('complaint.impact', 'thoughts_of_self_harm'),
  },
  {
    id: 'RF33',
    flag: 'emergency_symptom',
    urgency: 'emergency',
    source: 'The safety screen alone is enough',
    key: has(
      'symptoms.emergency',
      'difficulty_breathing',
      'throat_tightness',
      'tongue_swelling',
      'noisy_breathing',
      'fainting',
      'confusion',
      'stiff_neck',
      'very_fast_heartbeat',
      'mottled_or_blue_skin',
      'unable_to_drink',
      'drowsy_child',
    ),
    unlessOtherEmergency: true,
  },
];
