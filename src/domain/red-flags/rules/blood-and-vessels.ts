import { atLeast, has, isAt } from '../conditions.ts';
import { nonBlanching, purpura, onLeg, onLimb, oneSided, purplePatches } from '../findings/appearance.ts';
import {
  febrile,
  markLike,
  painful,
  poorGeneralState,
  spreadingWithinHours,
  unwellChild,
  upToFourWeeks,
  upToOneWeek,
} from '../findings/illness.ts';
import type { RedFlagRule } from '../red-flag-rule.ts';
import { all, not, onlyIfShown, some, unlessExcluded } from '../truth.ts';

const pale = has('lesion.colors', 'white', 'blue', 'grey', 'purple');
/** A hard strand under the skin. */
const cordLike = some(
  onlyIfShown(has('lesion.arrangement', 'linear')),
  onlyIfShown(has('lesion.shape', 'linear')),
  onlyIfShown(has('lesion.textures', 'firm_or_hard')),
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
    key: some(nonBlanching, purplePatches),
    when: all(
      unlessExcluded(upToFourWeeks),
      some(
        febrile,
        poorGeneralState,
        unwellChild,
        all(unlessExcluded(upToOneWeek), spreadingWithinHours),
        has('symptoms.systemic', 'vomiting'),
      ),
    ),
  },
  {
    id: 'RF07',
    flag: 'non_blanching_rash',
    urgency: 'high',
    source: 'NICE NG240 1.1, NG143: same-day assessment; NICE NG12 1.10: leukaemia, very urgent blood count',
    key: some(nonBlanching, purplePatches),
    when: all(
      unlessExcluded(not(has('lesion.count', 'single'))),
      some(
        all(upToOneWeek, nonBlanching),
        all(
          some(purpura, purplePatches, has('lesion.blanching', 'non_blanching')),
          has('complaint.duration', 'one_to_four_weeks', 'one_to_three_months'),
          some(
            has('symptoms.local', 'bleeding'),
            has('symptoms.systemic', 'fatigue', 'night_sweats', 'weight_loss', 'fever', 'mouth_sores'),
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
    id: 'RF48',
    flag: 'possible_limb_ischaemia',
    urgency: 'emergency',
    source: 'NICE CG147; CKS Peripheral arterial disease: acute limb ischaemia',
    key: all(onLimb, some(has('lesion.skinTemperature', 'cool'), all(pale, failingLimb))),
    when: all(
      upToOneWeek,
      unlessExcluded(not(has('complaint.course', 'recurrent', 'seasonal'))),
      unlessExcluded(not(has('lesion.distribution', 'symmetrical'))),
      has('lesion.skinTemperature', 'cool'),
      pale,
      failingLimb,
    ),
  },
  {
    id: 'RF49',
    flag: 'possible_deep_vein_thrombosis',
    urgency: 'high',
    source: 'NICE NG158 1.1: suspected deep vein thrombosis, same day',
    key: all(onLeg, painful, has('lesion.swellingSites', 'limb')),
    when: all(upToFourWeeks, oneSided, unlessExcluded(not(has('exposures.recent', 'insect_bite')))),
  },
  {
    id: 'RF74',
    flag: 'possible_phlebitis',
    urgency: 'medium',
    source: 'NICE CG168 1.2; CKS Superficial vein thrombosis',
    key: all(onLeg, painful, some(has('history.medicalConditions', 'venous_insufficiency'), cordLike)),
    when: all(
      unlessExcluded(upToFourWeeks),
      unlessExcluded(oneSided),
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
