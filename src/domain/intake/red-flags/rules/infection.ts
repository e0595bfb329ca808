import { ageBelow, ageFrom, atLeast, has, inRegion, isAt } from '../conditions.ts';
import {
  darkColors,
  hot,
  onHead,
  pus,
  sameRashNearby,
  ulcer,
  onlyVesicles,
  warm,
  wide,
} from '../findings/appearance.ts';
import {
  febrile,
  painful,
  painOutOfProportion,
  poorGeneralState,
  quickOnset,
  recentOrIllNow,
  recentOrIllWith,
  recentOrOfToday,
  severePain,
  spreadingWithinHours,
  suddenOnset,
  unwellChild,
  upToFourWeeks,
  upToOneWeek,
  worseningFast,
} from '../findings/illness.ts';
import { hiv, immunosuppressed, onChemotherapy } from '../findings/medicines.ts';
import type { RedFlagRule } from './red-flag-rule.ts';
import { all, not, onlyIfShown, some, unlessExcluded } from '../answer-logic.ts';

const swollenPart = has('lesion.swellingSites', 'limb', 'hands_or_feet', 'face', 'eyelids', 'genitals');
const painfulFever = all(painful, febrile);
const blackOrGrey = has('lesion.colors', 'black', 'grey');
const bulla = has('lesion.lesionTypes', 'bulla');
const redLine = some(has('lesion.shape', 'linear'), has('lesion.arrangement', 'linear'));
const redLineToGlands = all(has('lesion.swellingSites', 'lymph_nodes'), redLine);
const red = has('lesion.colors', 'red', 'purple');

/** A burn or wound of a child: small ones can cause toxic shock, too (DermNet). */
const woundOfChild = all(
  ageBelow(12),
  some(has('complaint.category', 'wound_or_bite'), has('exposures.recent', 'wound_or_cut')),
);

export const infectionRules: readonly RedFlagRule[] = [
  {
    id: 'RF08',
    flag: 'possible_necrotising_infection',
    urgency: 'emergency',
    source: 'NICE NG141 1.2; RCEM Necrotising fasciitis: pain out of proportion, fast spread',
    key: severePain,
    when: all(
      recentOrIllNow,
      some(
        spreadingWithinHours,
        all(some(febrile, worseningFast, darkColors), painOutOfProportion),
        all(worseningFast, some(febrile, darkColors, has('symptoms.local', 'numbness'), swollenPart)),
        all(has('symptoms.local', 'numbness'), some(febrile, darkColors)),
        // "A little better" with such pain, shivering and swelling is the paracetamol, or the nerve that dies.
        all(
          febrile,
          some(has('complaint.duration', 'one_day'), onlyIfShown(quickOnset)),
          some(swollenPart, onlyIfShown(bulla)),
        ),
      ),
    ),
  },
  {
    id: 'RF38',
    flag: 'possible_necrotising_infection',
    urgency: 'emergency',
    source: 'RCEM Necrotising fasciitis; Fournier gangrene',
    key: all(isAt('perineum', 'scrotum', 'penis', 'vulva', 'perianal'), painfulFever),
    when: all(
      // It also starts in an abscess or a hidradenitis of years.
      recentOrIllWith(painfulFever, some(recentOrOfToday(upToOneWeek), blackOrGrey), upToOneWeek),
      some(worseningFast, blackOrGrey, has('lesion.swellingSites', 'genitals')),
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
    when: all(recentOrIllNow, painful, some(warm, pus, swollenPart, worseningFast)),
  },
  {
    id: 'RF10',
    flag: 'spreading_infection_systemic',
    urgency: 'high',
    source: 'NICE NG141 1.2: cellulitis or erysipelas with fever',
    key: painfulFever,
    when: all(recentOrIllNow, some(warm, pus, swollenPart, all(red, worseningFast), all(unwellChild, red))),
  },
  {
    id: 'RF40',
    flag: 'spreading_infection',
    urgency: 'high',
    source: 'NICE NG141 1.1: spreading infection; erysipelas of the face',
    key: all(painful, some(warm, onlyIfShown(redLineToGlands))),
    when: some(
      all(warm, worseningFast),
      all(
        upToOneWeek,
        some(
          all(onHead, hot, unlessExcluded(red), onlyIfShown(swollenPart)),
          // Of the hand: tendon sheaths and joints are near.
          all(inRegion('hand'), pus, swollenPart),
        ),
      ),
      // A red line to swollen glands, in an eczema of years, too.
      all(
        some(upToOneWeek, worseningFast, all(not(has('complaint.progression', 'stable')), quickOnset)),
        redLineToGlands,
      ),
    ),
  },
  {
    id: 'RF17',
    flag: 'immunosuppressed_and_unwell',
    urgency: 'high',
    source: 'NICE NG253; CKS Shingles: a weakened immune system',
    key: some(immunosuppressed, all(febrile, hiv)),
    when: some(
      febrile,
      has('lesion.lesionTypes', 'vesicle', 'purpura', 'erosion', 'bulla'),
      ulcer,
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
    id: 'RF42',
    flag: 'possible_toxic_shock',
    urgency: 'emergency',
    source: 'CKS / DermNet, Toxic shock syndrome: fever, sunburn-like rash, vomiting, faintness',
    key: all(febrile, some(wide, onlyIfShown(woundOfChild))),
    when: all(
      recentOrOfToday(upToOneWeek),
      // Chickenpox; beside a red skin, or with signs of shock, small blisters exclude nothing.
      some(not(onlyVesicles), onlyIfShown(has('symptoms.emergency', 'fainting', 'confusion'))),
      unlessExcluded(has('lesion.colors', 'red', 'pink', 'purple', 'salmon', 'brown', 'grey')),
      some(
        has('symptoms.emergency', 'fainting', 'confusion', 'very_fast_heartbeat'),
        all(
          has('symptoms.systemic', 'vomiting'),
          some(
            ageFrom(10),
            onlyIfShown(has('exposures.recent', 'wound_or_cut')),
            atLeast('symptoms.temperatureC', 39),
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
    id: 'RF70',
    flag: 'rapid_change',
    urgency: 'medium',
    source: 'NICE NG141 1.1: seek help when symptoms worsen rapidly or the person feels very unwell',
    key: worseningFast,
    when: all(
      some(unlessExcluded(upToFourWeeks), spreadingWithinHours, febrile),
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
    key: some(
      all(painful, atLeast('symptoms.painSeverity', 8)),
      onlyIfShown(has('symptoms.painCharacter', 'out_of_proportion')),
    ),
  },
];
