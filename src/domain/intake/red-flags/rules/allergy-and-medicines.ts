import { ageFrom, has, inRegion, isAt, isOnlyAt, unsureOf } from '../conditions.ts';
import {
  generalized,
  mucosalSores,
  severalMucosae,
  skinDetachment,
  vesicles,
  wide,
} from '../findings/appearance.ts';
import {
  airwaySign,
  febrile,
  fever,
  painful,
  pregnant,
  notAtRest,
  quickOnset,
  rashLike,
  recentOrIllWith,
  recentOrOfToday,
  recentOrOfTodayWith,
  suddenOnset,
  upToFourWeeks,
  upToOneWeek,
  worseningFast,
} from '../findings/illness.ts';
import {
  aceInhibitor,
  immunosuppressed,
  medicineForDaysOrWeeks,
  newDangerousMedicine,
  newMedicine,
} from '../findings/medicines.ts';
import type { RedFlagRule } from './red-flag-rule.ts';
import { all, not, onlyIfShown, some, unlessExcluded, type ValueAt } from '../answer-logic.ts';

const swollenFaceOrNodes = has('lesion.swellingSites', 'face', 'lymph_nodes');

/** The lips alone, in a person who has cold sores. SJS/TEN affects the lips, too, but not the lips alone. */
const knownColdSore = all(
  has('history.skinConditions', 'cold_sores'),
  isOnlyAt('lips'),
  not(has('lesion.mucosalSites', 'mouth', 'eyes', 'genitals', 'anus', 'nose')),
);

/** Aphthae come back; they explain neither a skin that comes off, which has to be known, nor a fast turn for the worse. */
const notOfAphthae = some(
  unlessExcluded(not(has('complaint.course', 'recurrent'))),
  onlyIfShown(worseningFast),
  skinDetachment,
);

const febrileWideRash = all(febrile, rashLike, wide);
const widePustules = all(
  rashLike,
  has('lesion.lesionTypes', 'pustule'),
  some(wide, onlyIfShown(has('lesion.count', 'more_than_twenty', 'confluent'))),
);
const psoriasisWithFever = all(has('history.skinConditions', 'psoriasis'), febrile);

/** A swelling that comes within hours is one of today, also in a person who has had such attacks for years. */
const attackOf = (...sites: ValueAt<'lesion.swellingSites'>[]) =>
  all(onlyIfShown(has('lesion.swellingSites', ...sites)), has('complaint.onsetSpeed', 'minutes', 'hours'));

/** Of the tongue within minutes: whether it swells is asked, and "not sure" is no "no". */
const quickInMouth = onlyIfShown(all(isAt('tongue', 'palate', 'inner_lip'), quickOnset));

/** Of the mouth, of today, and nothing to be seen: what else brings a person here? */
const unsureInMouth = all(
  unsureOf('lesion.swellingSites'),
  onlyIfShown(
    all(
      inRegion('mouth'),
      has('lesion.lesionTypes', 'no_visible_lesion'),
      has('complaint.duration', 'one_day'),
    ),
  ),
);

const unsureOfLips = all(
  unsureOf('lesion.swellingSites'),
  onlyIfShown(all(isAt('lips', 'face'), quickOnset)),
);

/** Itching in many places or all over: hives that nobody has looked for, or that have not come yet. */
const itchOfSkinUnseen = all(has('symptoms.local', 'itching'), generalized);

const sting = some(
  has('exposures.recent', 'insect_bite', 'new_food'),
  onlyIfShown(has('complaint.triggers', 'insect', 'food', 'medication')),
);

/** Hives, or a problem of the head. Elsewhere a swollen face is not asked about, but counts if given. */
const faceMaySwell = some(
  inRegion('head_neck', 'mouth', 'generalized'),
  onlyIfShown(has('lesion.lesionTypes', 'wheal')),
  onlyIfShown(has('lesion.swellingSites', 'lips', 'tongue', 'throat', 'face')),
);

export const allergyAndMedicineRules: readonly RedFlagRule[] = [
  {
    id: 'RF01',
    flag: 'airway_or_breathing',
    urgency: 'emergency',
    source: 'Resuscitation Council UK, Emergency treatment of anaphylaxis (2021); NHS, Anaphylaxis',
    key: airwaySign,
  },
  {
    id: 'RF71',
    flag: 'airway_or_breathing',
    urgency: 'emergency',
    source: 'NICE CKS Angio-oedema and anaphylaxis: swelling of tongue or throat',
    key: all(
      some(notAtRest, inRegion('mouth'), onlyIfShown(has('lesion.swellingSites', 'tongue', 'throat'))),
      some(has('lesion.swellingSites', 'tongue', 'throat'), quickInMouth, unsureInMouth),
    ),
    when: all(
      some(has('lesion.swellingSites', 'tongue', 'throat'), unsureOf('lesion.swellingSites')),
      some(suddenOnset, worseningFast, attackOf('tongue', 'throat'), onlyIfShown(quickInMouth)),
    ),
  },
  {
    id: 'RF89',
    flag: 'airway_or_breathing',
    urgency: 'emergency',
    source: 'RCOG Green-top Guideline 13; NICE CKS Chickenpox: chest symptoms, admit',
    key: all(some(vesicles, unsureOf('lesion.lesionTypes')), has('symptoms.systemic', 'shortness_of_breath')),
    when: all(recentOrIllWith(vesicles), some(pregnant, immunosuppressed, all(wide, ageFrom(16)))),
  },
  {
    id: 'RF02',
    flag: 'possible_anaphylaxis',
    urgency: 'emergency',
    source: 'Resuscitation Council UK, Emergency treatment of anaphylaxis (2021); NICE CG134',
    key: all(
      notAtRest,
      some(
        has('lesion.lesionTypes', 'wheal'),
        has('lesion.swellingSites', 'lips', 'face', 'eyelids', 'tongue', 'throat'),
      ),
    ),
    // An attack of today, also in a person who has had hives for years.
    when: all(
      some(suddenOnset, worseningFast, onlyIfShown(quickOnset)),
      some(
        has('symptoms.emergency', 'fainting', 'difficulty_breathing', 'confusion', 'very_fast_heartbeat'),
        has('symptoms.systemic', 'vomiting', 'shortness_of_breath', 'abdominal_pain'),
      ),
    ),
  },
  {
    id: 'RF91',
    flag: 'possible_anaphylaxis',
    urgency: 'emergency',
    source:
      'Resuscitation Council UK, Emergency treatment of anaphylaxis (2021): skin signs may be absent or subtle',
    key: all(
      some(itchOfSkinUnseen, onlyIfShown(all(sting, unlessExcluded(quickOnset)))),
      has('symptoms.systemic', 'vomiting', 'shortness_of_breath', 'abdominal_pain'),
    ),
    when: all(quickOnset, some(suddenOnset, worseningFast)),
  },
  {
    id: 'RF03',
    flag: 'angioedema',
    urgency: 'high',
    source: 'NICE CKS Angio-oedema and anaphylaxis: same-day review; ACE inhibitors',
    key: all(
      faceMaySwell,
      some(has('lesion.swellingSites', 'lips', 'tongue', 'throat', 'face'), unsureOfLips),
    ),
    when: all(
      not(airwaySign),
      some(
        suddenOnset,
        worseningFast,
        attackOf('lips', 'face'),
        onlyIfShown(unsureOfLips),
        aceInhibitor,
        all(upToOneWeek, newMedicine),
      ),
    ),
  },
  {
    id: 'RF04',
    flag: 'possible_sjs_ten',
    urgency: 'emergency',
    source: 'BAD guideline SJS/TEN (2016): medicine in the 8 weeks before, mucosal sores, painful skin',
    key: mucosalSores,
    when: all(
      recentOrIllWith(mucosalSores, some(worseningFast, all(fever, some(newMedicine, skinDetachment)))),
      // Recurrent aphthae and cold sores.
      notOfAphthae,
      unlessExcluded(not(knownColdSore)),
      some(
        all(newMedicine, some(painful, skinDetachment, febrile)),
        // Without a medicine (Mycoplasma, herpes) one sore mouth with a fever is not enough.
        all(febrile, some(skinDetachment, severalMucosae)),
      ),
    ),
  },
  {
    id: 'RF14',
    flag: 'possible_dress',
    urgency: 'high',
    source: 'RegiSCAR criteria for DRESS: 2 to 8 weeks after the start of a medicine',
    key: all(febrile, some(medicineForDaysOrWeeks, swollenFaceOrNodes)),
    // The face and the nodes swell with any complaint: DRESS often comes after minocycline for acne.
    when: all(medicineForDaysOrWeeks, some(swollenFaceOrNodes, all(unlessExcluded(rashLike), wide))),
  },
  {
    id: 'RF34',
    flag: 'possible_agep',
    urgency: 'high',
    source: 'DermNet, Acute generalised exanthematous pustulosis; NICE CG153, generalised pustular psoriasis',
    key: widePustules,
    // Pustular psoriasis comes in people who have had psoriasis for years.
    when: all(
      recentOrIllWith(widePustules, some(recentOrOfToday(upToFourWeeks), psoriasisWithFever), upToFourWeeks),
      some(febrile, newMedicine),
    ),
  },
  {
    id: 'RF35',
    flag: 'possible_drug_reaction',
    urgency: 'medium',
    source: 'NICE CG183 1.1: drug allergy, widespread rash after a new medicine',
    key: newMedicine,
    when: all(rashLike, recentOrOfToday(upToFourWeeks), wide),
  },
  {
    id: 'RF81',
    flag: 'possible_drug_reaction',
    urgency: 'high',
    source: 'MHRA / BNF, lamotrigine, carbamazepine, allopurinol: any rash in the first weeks, same day',
    key: newDangerousMedicine,
    when: all(rashLike, recentOrOfToday(upToFourWeeks)),
  },
  {
    id: 'RF36',
    flag: 'febrile_widespread_rash',
    urgency: 'high',
    source: 'DermNet, Fever and a rash; NICE CKS Chickenpox: adults within 24 hours',
    key: febrileWideRash,
    // A viral rash with fever is common in a child; an adult needs to be seen.
    when: all(recentOrOfTodayWith(febrileWideRash, upToFourWeeks), ageFrom(16)),
  },
  {
    id: 'RF37',
    flag: 'sting_in_mouth_or_throat',
    urgency: 'high',
    source: 'NICE NG182 1.1: stings in the mouth or throat',
    key: all(
      some(inRegion('mouth'), onlyIfShown(has('lesion.swellingSites', 'tongue', 'throat'))),
      has('exposures.recent', 'insect_bite'),
    ),
    when: recentOrOfToday(unlessExcluded(upToOneWeek)),
  },
];
