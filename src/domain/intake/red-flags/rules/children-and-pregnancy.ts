import { ageBelow, ageBelowMonths, atLeast, has, isAt, isOnlyAt, unsureOf } from '../conditions.ts';
import {
  growing,
  noVisibleRash,
  onlyVesicles,
  palmsOrSoles,
  pus,
  sameRashNearby,
  ulcer,
  vesicles,
  wide,
  yellowSkin,
} from '../findings/appearance.ts';
import {
  febrile,
  fever,
  pregnant,
  rashLike,
  recentOrOfToday,
  upToFourWeeks,
  upToOneWeek,
} from '../findings/illness.ts';
import { oralRetinoid } from '../findings/medicines.ts';
import type { RedFlagRule } from './red-flag-rule.ts';
import {
  all,
  atLeastOf,
  type Condition,
  met,
  not,
  onlyIfShown,
  some,
  unlessExcluded,
} from '../answer-logic.ts';

/** A baby, or a patient of unknown age for whom another person answers. */
const mayBeBaby: Condition = (anamnesis) => {
  const age = ageBelow(1)(anamnesis);
  const { reporter } = anamnesis;
  const isForAnother = reporter === 'parent_guardian' || reporter === 'caregiver';
  return age.value === undefined && isForAnother ? met : age;
};

/** A baby's spots that nobody can name, but that are filled with fluid or grouped. */
const mayBeBlister = all(
  unsureOf('lesion.lesionTypes'),
  some(has('lesion.textures', 'fluid_filled'), has('lesion.arrangement', 'grouped')),
);

const kawasakiSigns = [
  has('lesion.eyeSymptoms', 'redness'),
  has('lesion.mucosalSites', 'lips', 'mouth'),
  has('lesion.swellingSites', 'hands_or_feet'),
  has('lesion.swellingSites', 'lymph_nodes'),
] as const;

/** Newborns with an infection are as often too cold as too hot. */
const cold = onlyIfShown(not(atLeast('symptoms.temperatureC', 36)));

/** A recurrent cold sore is not a sign of chickenpox; with vesicles at another place it may be one. */
const returningColdSore = all(isOnlyAt('lips'), has('complaint.course', 'recurrent'));

const bruiseColors = has('lesion.colors', 'purple', 'blue', 'black');
const flatMark = has('lesion.lesionTypes', 'patch', 'macule', 'purpura');

export const childrenAndPregnancyRules: readonly RedFlagRule[] = [
  {
    id: 'RF18',
    flag: 'infant_fever_or_blisters',
    urgency: 'high',
    source: 'NICE NG143 1.2: fever in the first year; blisters and purple spots in a baby',
    key: all(
      mayBeBaby,
      some(febrile, has('lesion.lesionTypes', 'vesicle', 'bulla', 'purpura'), mayBeBlister),
    ),
    when: ageBelow(1),
  },
  {
    id: 'RF53',
    flag: 'infant_fever_or_blisters',
    urgency: 'emergency',
    source: 'NICE NG143 1.2, table 1 (red): 38 °C and more in the first three months; NG195: under 36 °C',
    key: all(mayBeBaby, some(febrile, cold)),
    // Fever felt by a parent counts (NG143 1.1). With unknown months, every baby counts as young: the safe side.
    when: all(
      ageBelow(1),
      unlessExcluded(ageBelowMonths(3)),
      some(cold, unlessExcluded(atLeast('symptoms.temperatureC', 38))),
    ),
  },
  {
    id: 'RF54',
    flag: 'infant_fever_or_blisters',
    urgency: 'emergency',
    source: 'NICE CKS Herpes simplex, neonatal: admit',
    key: all(ageBelow(1), some(has('lesion.lesionTypes', 'vesicle', 'bulla', 'erosion'), mayBeBlister)),
    when: ageBelowMonths(1),
  },
  {
    id: 'RF88',
    flag: 'airway_or_breathing',
    urgency: 'emergency',
    source: 'NICE NG143 table 1: breathing of a baby; PCDS, Infantile haemangioma of chin and jaw (airway)',
    key: all(mayBeBaby, has('symptoms.systemic', 'shortness_of_breath')),
    when: ageBelow(1),
  },
  {
    id: 'RF55',
    flag: 'infant_fever_or_blisters',
    urgency: 'high',
    source: 'DermNet, Pustules in the newborn',
    // Pus of the navel is an infection of the newborn, whatever today is like.
    key: all(ageBelow(1), some(has('lesion.lesionTypes', 'pustule'), pus)),
    when: ageBelowMonths(1),
  },
  {
    id: 'RF56',
    flag: 'bruise_in_a_baby',
    urgency: 'high',
    source: 'NICE CG89 1.3: bruising in a child who does not move independently',
    key: all(unlessExcluded(ageBelow(1)), bruiseColors, unlessExcluded(flatMark)),
    when: all(
      ageBelow(1),
      recentOrOfToday(upToFourWeeks),
      unlessExcluded(not(has('patient.babyMobility', 'moves_alone'))),
    ),
  },
  {
    id: 'RF77',
    flag: 'possible_jaundice',
    urgency: 'high',
    source: 'NICE CG98 1.2: jaundice of a newborn, measured the same day',
    key: all(ageBelow(1), yellowSkin),
    when: unlessExcluded(ageBelowMonths(3)),
  },
  {
    id: 'RF20',
    flag: 'possible_kawasaki',
    urgency: 'high',
    source: 'NICE NG143 1.2: fever for days with eyes, lips, hands or glands; also after the fifth birthday',
    key: all(febrile, some(...kawasakiSigns)),
    when: all(
      ageBelow(16),
      // The fever of a small child is of now, also where an eczema below is old; one day is too short.
      some(
        unlessExcluded(has('complaint.duration', 'less_than_one_week', 'one_to_four_weeks')),
        all(ageBelow(5), fever, not(has('complaint.duration', 'one_day'))),
      ),
      some(ageBelow(5), atLeastOf(2, ...kawasakiSigns)),
    ),
  },
  {
    id: 'RF57',
    flag: 'possible_measles',
    urgency: 'high',
    source:
      'UKHSA, National measles guidelines: fever and rash with red eyes or cough; notify by phone first',
    key: all(
      febrile,
      some(
        has('lesion.eyeSymptoms', 'redness', 'light_sensitivity', 'discharge'),
        has('history.measlesVaccination', 'none', 'incomplete'),
      ),
    ),
    when: all(
      recentOrOfToday(upToOneWeek),
      some(has('lesion.lesionTypes', 'macule', 'papule', 'patch'), unsureOf('lesion.lesionTypes')),
      unlessExcluded(not(onlyVesicles)),
      some(wide, onlyIfShown(isAt('face', 'behind_ear', 'cheek', 'forehead'))),
    ),
  },
  {
    id: 'RF58',
    flag: 'possible_scarlet_fever',
    urgency: 'high',
    source: 'NICE CKS Scarlet fever',
    key: all(febrile, has('symptoms.systemic', 'sore_throat')),
    when: all(
      ageBelow(18),
      recentOrOfToday(upToOneWeek),
      rashLike,
      unlessExcluded(not(onlyVesicles)),
      some(wide, onlyIfShown(has('lesion.textures', 'rough_or_flaky'))),
    ),
  },
  {
    id: 'RF59',
    flag: 'haemangioma_at_risk',
    urgency: 'medium',
    source: 'PCDS / DermNet, Infantile haemangioma: near the eye, mouth or genitals, or ulcerated',
    key: all(
      ageBelow(1),
      has('lesion.lesionTypes', 'nodule', 'plaque', 'papule'),
      has('lesion.colors', 'red', 'purple', 'blue'),
    ),
    when: all(
      growing,
      some(isAt('eyelid', 'around_eye', 'nose', 'lips', 'ear', 'penis', 'vulva', 'perineum'), ulcer),
    ),
  },
  {
    id: 'RF21',
    flag: 'rash_in_pregnancy',
    urgency: 'high',
    source: 'UKHSA, Viral rash in pregnancy; RCOG Green-top Guideline 13',
    key: some(
      all(vesicles, unlessExcluded(not(returningColdSore))),
      all(febrile, rashLike),
      // Parvovirus B19 in adults.
      all(has('symptoms.systemic', 'joint_pain'), rashLike, recentOrOfToday(upToFourWeeks)),
      sameRashNearby,
    ),
    // Small blisters may be chickenpox, whatever the complaint is called.
    when: all(some(onlyIfShown(vesicles), unlessExcluded(rashLike)), pregnant),
  },
  {
    id: 'RF60',
    flag: 'retinoid_in_pregnancy',
    urgency: 'high',
    source: 'MHRA, Pregnancy Prevention Programme for oral retinoids; NICE NG198',
    key: some(oralRetinoid, all(has('complaint.category', 'acne'), pregnant)),
    when: all(oralRetinoid, pregnant),
  },
  {
    id: 'RF61',
    flag: 'itch_of_late_pregnancy',
    urgency: 'high',
    source: 'RCOG Green-top Guideline 43: obstetric cholestasis',
    key: all(has('symptoms.local', 'itching'), pregnant),
    when: all(
      unlessExcluded(atLeast('patient.pregnancyWeeks', 20)),
      some(noVisibleRash, palmsOrSoles, onlyIfShown(has('symptoms.systemic', 'dark_urine'))),
    ),
  },
];
