import { ageBelow, ageFrom, atLeast, has, inRegion, isAt } from '../conditions.ts';
import {
  darkColors,
  hot,
  onHead,
  pus,
  sameRashNearby,
  ulcer,
  vesicles,
  warm,
  wide,
} from '../findings/appearance.ts';
import {
  febrile,
  painful,
  painOutOfProportion,
  poorGeneralState,
  severePain,
  spreadingWithinHours,
  suddenOnset,
  unwellChild,
  upToFourWeeks,
  upToOneWeek,
  worseningFast,
} from '../findings/illness.ts';
import { immunosuppressed, onChemotherapy } from '../findings/medicines.ts';
import type { RedFlagRule } from '../red-flag-rule.ts';
import { all, not, onlyIfShown, some, unlessExcluded } from '../truth.ts';

const swollenPart = has('lesion.swellingSites', 'limb', 'hands_or_feet', 'face', 'eyelids', 'genitals');
const red = has('lesion.colors', 'red', 'purple');

/** A burn or wound of a child: toxic shock comes with small ones, too (DermNet). */
const woundOfChild = all(
  ageBelow(12),
  some(has('complaint.category', 'wound_or_bite'), has('exposures.recent', 'wound_or_cut')),
);

/** What makes a wound look infected. */
const infectedWound = some(pus, hot, febrile, all(warm, painful, worseningFast), all(painful, worseningFast));

const woundOrBite = has('complaint.category', 'wound_or_bite');
const animalBite = some(
  onlyIfShown(has('exposures.recent', 'animal_bite')),
  all(woundOrBite, has('exposures.recent', 'animal_bite')),
);

const onFoot = some(inRegion('foot'), onlyIfShown(isAt('ankle', 'toenail')));
const footProblem = some(
  ulcer,
  has('lesion.lesionTypes', 'erosion', 'bulla'),
  all(woundOrBite, not(onlyIfShown(has('exposures.recent', 'insect_bite')))),
  onlyIfShown(pus),
  // A hot or swollen foot without pain can be a Charcot foot (NG19 1.6).
  warm,
  has('lesion.swellingSites', 'hands_or_feet'),
);
/** What is a problem of anybody's foot: the rest counts where diabetes is known. */
const openFoot = some(
  ulcer,
  has('lesion.lesionTypes', 'erosion', 'bulla'),
  all(woundOrBite, not(onlyIfShown(has('exposures.recent', 'insect_bite')))),
);
const diabetes = has('history.medicalConditions', 'diabetes');

export const infectionRules: readonly RedFlagRule[] = [
  {
    id: 'RF08',
    flag: 'possible_necrotising_infection',
    urgency: 'emergency',
    source: 'NICE NG141 1.2; RCEM Necrotising fasciitis: pain out of proportion, fast spread',
    key: severePain,
    when: all(
      unlessExcluded(upToFourWeeks),
      some(
        spreadingWithinHours,
        all(some(febrile, worseningFast, darkColors), painOutOfProportion),
        all(worseningFast, some(febrile, darkColors, has('symptoms.local', 'numbness'), swollenPart)),
        all(has('symptoms.local', 'numbness'), some(febrile, darkColors)),
      ),
    ),
  },
  {
    id: 'RF38',
    flag: 'possible_necrotising_infection',
    urgency: 'emergency',
    source: 'RCEM Necrotising fasciitis; Fournier gangrene',
    key: all(isAt('perineum', 'scrotum', 'penis', 'vulva', 'perianal'), painful, febrile),
    when: all(
      upToOneWeek,
      some(worseningFast, has('lesion.colors', 'black', 'grey'), has('lesion.swellingSites', 'genitals')),
    ),
  },
  {
    id: 'RF09',
    flag: 'possible_sepsis',
    urgency: 'emergency',
    source: 'NICE NG253 (was NG51): high-risk criteria with an infection of the skin',
    key: poorGeneralState,
    when: some(warm, pus, febrile, ulcer),
  },
  {
    id: 'RF39',
    flag: 'possible_sepsis',
    urgency: 'emergency',
    source: 'NICE NG253: breathlessness with an infection',
    key: all(febrile, has('symptoms.systemic', 'shortness_of_breath')),
    when: all(unlessExcluded(upToFourWeeks), painful, some(warm, pus, swollenPart, worseningFast)),
  },
  {
    id: 'RF10',
    flag: 'spreading_infection_systemic',
    urgency: 'high',
    source: 'NICE NG141 1.2: cellulitis or erysipelas with fever',
    key: all(painful, febrile),
    when: all(
      unlessExcluded(upToFourWeeks),
      some(warm, pus, swollenPart, all(red, worseningFast), all(unwellChild, red)),
    ),
  },
  {
    id: 'RF40',
    flag: 'spreading_infection',
    urgency: 'high',
    source: 'NICE NG141 1.1: spreading infection; erysipelas of the face',
    key: all(painful, warm),
    when: all(
      upToOneWeek,
      some(worseningFast, all(onHead, hot, unlessExcluded(red), onlyIfShown(swollenPart))),
    ),
  },
  {
    id: 'RF17',
    flag: 'immunosuppressed_and_unwell',
    urgency: 'high',
    source: 'NICE NG253; CKS Shingles: a weakened immune system',
    key: immunosuppressed,
    when: some(
      febrile,
      has('lesion.lesionTypes', 'vesicle', 'ulcer', 'purpura', 'erosion', 'bulla'),
      worseningFast,
    ),
  },
  {
    id: 'RF41',
    flag: 'immunosuppressed_and_unwell',
    urgency: 'emergency',
    source: 'NICE CG151 1.1: suspected neutropenic sepsis; asplenia (NICE NG253)',
    key: some(onChemotherapy, has('history.immuneStatus', 'asplenia')),
    when: febrile,
  },
  {
    id: 'RF80',
    flag: 'infection_contact_at_risk',
    urgency: 'high',
    source: 'UKHSA, Post-exposure prophylaxis for varicella and shingles: a weakened immune system',
    key: all(immunosuppressed, sameRashNearby),
    when: all(
      upToFourWeeks,
      some(
        has('lesion.lesionTypes', 'no_visible_lesion', 'vesicle'),
        onlyIfShown(has('complaint.category', 'looks_healthy')),
      ),
    ),
  },
  {
    id: 'RF86',
    flag: 'deep_burn_or_wound',
    urgency: 'high',
    source:
      'NHS, Burns and scalds; British Burn Association, referral: numb, deep, electrical or chemical burns',
    key: all(woundOrBite, has('symptoms.local', 'numbness')),
    when: all(upToOneWeek, unlessExcluded(has('complaint.onsetSpeed', 'minutes', 'hours'))),
  },
  {
    id: 'RF42',
    flag: 'possible_toxic_shock',
    urgency: 'emergency',
    source: 'CKS / DermNet, Toxic shock syndrome: fever, sunburn-like rash, vomiting, faintness',
    key: all(febrile, some(wide, onlyIfShown(woundOfChild))),
    when: all(
      upToOneWeek,
      not(vesicles),
      unlessExcluded(has('lesion.colors', 'red', 'pink', 'purple', 'salmon')),
      some(
        has('symptoms.emergency', 'fainting', 'confusion', 'very_fast_heartbeat'),
        all(
          has('symptoms.systemic', 'vomiting'),
          some(
            ageFrom(10),
            onlyIfShown(has('exposures.recent', 'wound_or_cut')),
            onlyIfShown(atLeast('symptoms.temperatureC', 39)),
          ),
        ),
        all(onlyIfShown(woundOfChild), has('symptoms.systemic', 'vomiting')),
        all(
          onlyIfShown(has('exposures.recent', 'wound_or_cut')),
          has('symptoms.systemic', 'fatigue', 'muscle_weakness'),
        ),
      ),
    ),
  },
  {
    id: 'RF43',
    flag: 'infected_bite',
    urgency: 'high',
    source: 'NICE NG184 1.1: human and animal bites with signs of infection',
    key: all(some(animalBite, woundOrBite), infectedWound),
    when: all(unlessExcluded(upToFourWeeks), animalBite),
  },
  {
    id: 'RF73',
    flag: 'infected_bite',
    urgency: 'high',
    source:
      'NICE NG184 1.1: bites of hand, foot, face or genitals are seen early, also before an infection shows',
    key: animalBite,
    when: all(upToOneWeek, inRegion('head_neck', 'mouth', 'hand', 'foot', 'groin_genitals')),
  },
  {
    id: 'RF44',
    flag: 'bite_abroad',
    urgency: 'high',
    source: 'UKHSA, Rabies: post-exposure treatment',
    key: animalBite,
    when: has(
      'exposures.travelRegion',
      'latin_america',
      'africa',
      'middle_east',
      'south_asia',
      'southeast_asia',
    ),
  },
  {
    id: 'RF45',
    flag: 'diabetic_foot',
    urgency: 'high',
    source: 'NICE NG19 1.4: active diabetic foot problem, referral within 1 working day',
    key: all(onFoot, some(openFoot, onlyIfShown(diabetes))),
    when: all(diabetes, footProblem),
  },
  {
    id: 'RF46',
    flag: 'diabetic_foot',
    urgency: 'emergency',
    source: 'NICE NG19 1.4: limb- or life-threatening foot problem',
    key: all(onFoot, diabetes, some(footProblem, has('lesion.colors', 'black'))),
    when: some(febrile, has('lesion.colors', 'black'), spreadingWithinHours),
  },
  {
    id: 'RF47',
    flag: 'rapidly_growing_ulcer',
    urgency: 'high',
    source: 'DermNet / PCDS, Pyoderma gangrenosum',
    key: ulcer,
    when: all(
      painful,
      worseningFast,
      unlessExcluded(not(inRegion('mouth'))),
      unlessExcluded(not(has('complaint.course', 'recurrent'))),
    ),
  },
  {
    id: 'RF70',
    flag: 'rapid_change',
    urgency: 'medium',
    source: 'NICE NG141 1.1: seek help when symptoms worsen rapidly or the person feels very unwell',
    key: worseningFast,
    when: all(
      unlessExcluded(upToFourWeeks),
      some(
        painful,
        febrile,
        onlyIfShown(has('symptoms.systemic', 'vomiting', 'shortness_of_breath', 'muscle_weakness')),
        all(onlyIfShown(isAt('lips', 'tongue', 'eyelid', 'inner_lip', 'palate')), suddenOnset),
      ),
    ),
  },
  {
    id: 'RF31',
    flag: 'severe_pain',
    urgency: 'medium',
    source: 'Manchester Triage System, pain',
    key: all(painful, atLeast('symptoms.painSeverity', 8)),
  },
];
