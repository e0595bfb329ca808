import { ageBelow, ageFrom, has, unsureOf } from '../conditions.ts';
import {
  allOfTheBody,
  generalized,
  mostOfTheBody,
  onlyVesicles,
  onlyWheals,
  peeling,
  scaly,
  wide,
} from '../findings/appearance.ts';
import {
  febrile,
  fever,
  forMonths,
  forYears,
  fromOneWeek,
  painful,
  recentOrIllNow,
  recentOrIllWith,
  upToOneWeek,
  worsening,
  worseningFast,
} from '../findings/illness.ts';
import { newMedicine } from '../findings/medicines.ts';
import type { RedFlagRule } from './red-flag-rule.ts';
import { all, not, onlyIfShown, some, unlessExcluded } from '../answer-logic.ts';

const inSheets = has('lesion.surfaceChanges', 'peeling_in_sheets');
const bullaOrSheets = some(has('lesion.lesionTypes', 'bulla'), inSheets);
/** In a painful problem of a feverish child peeling is asked for, also where an eczema below is old. */
const peelingOrFever = some(peeling, all(painful, fever));
const outsideCause = some(
  has('exposures.recent', 'insect_bite', 'strong_sun', 'plants', 'new_cosmetic'),
  has('complaint.triggers', 'friction_or_pressure', 'sunlight', 'insect'),
);

export const blisteringRules: readonly RedFlagRule[] = [
  {
    id: 'RF05',
    flag: 'widespread_blistering',
    urgency: 'emergency',
    source: 'BAD guideline SJS/TEN (2016): detachment of 10 % of the body surface and more',
    key: bullaOrSheets,
    when: all(recentOrIllWith(bullaOrSheets), wide),
  },
  {
    id: 'RF76',
    flag: 'widespread_blistering',
    urgency: 'emergency',
    source:
      'BAD guideline SJS/TEN (2016): painful detachment in sheets after a medicine, whatever its extent',
    key: inSheets,
    when: all(recentOrIllWith(inSheets), painful, some(newMedicine, febrile)),
  },
  {
    id: 'RF12',
    flag: 'erythroderma',
    urgency: 'emergency',
    source: 'BAD / PCDS, Erythroderma: over 90 % of the body surface',
    key: some(
      mostOfTheBody,
      all(
        generalized,
        worsening,
        some(onlyIfShown(has('lesion.count', 'confluent')), scaly, has('symptoms.systemic', 'chills')),
      ),
    ),
    when: all(
      // Hives and chickenpox as the sole finding; an eczema that covers the body has small blisters, too.
      some(unlessExcluded(not(some(onlyWheals, onlyVesicles))), onlyIfShown(scaly)),
      some(allOfTheBody, all(mostOfTheBody, febrile)),
    ),
  },
  {
    id: 'RF19',
    flag: 'possible_scalded_skin',
    urgency: 'emergency',
    source: 'DermNet / CKS, Staphylococcal scalded skin syndrome',
    key: all(unlessExcluded(ageBelow(6)), peeling),
    when: all(
      ageBelow(6),
      recentOrIllWith(peelingOrFever, some(worseningFast, febrile), unlessExcluded(upToOneWeek)),
      painful,
    ),
  },
  {
    id: 'RF13',
    flag: 'possible_eczema_herpeticum',
    urgency: 'high',
    source: 'NICE QS44 statement 7; NICE CG57',
    key: some(
      all(has('lesion.lesionTypes', 'vesicle', 'erosion', 'pustule'), some(painful, febrile)),
      all(has('history.skinConditions', 'eczema'), painful, worseningFast),
    ),
    when: all(
      some(has('lesion.lesionTypes', 'vesicle', 'erosion', 'pustule'), unsureOf('lesion.lesionTypes')),
      has('history.skinConditions', 'eczema'),
      recentOrIllNow,
      some(worseningFast, febrile, has('lesion.arrangement', 'grouped')),
    ),
  },
  {
    id: 'RF51',
    flag: 'blistering_without_cause',
    urgency: 'medium',
    source: 'BAD guidelines pemphigus vulgaris (2017) and bullous pemphigoid (2012): urgent referral',
    key: some(
      has('lesion.lesionTypes', 'bulla'),
      all(has('lesion.lesionTypes', 'erosion'), has('symptoms.systemic', 'mouth_sores')),
    ),
    when: all(
      unlessExcluded(fromOneWeek),
      unlessExcluded(ageFrom(18)),
      // They explain neither sores of the mouth nor blisters of months.
      some(
        unlessExcluded(not(outsideCause)),
        onlyIfShown(has('symptoms.systemic', 'mouth_sores')),
        onlyIfShown(forMonths),
        // The usual patients of pemphigoid.
        onlyIfShown(some(ageFrom(60), has('patient.pregnancyStatus', 'pregnant', 'postpartum'))),
      ),
    ),
  },
  {
    id: 'RF52',
    flag: 'blistering_without_cause',
    urgency: 'high',
    source: 'BAD guidelines pemphigus vulgaris (2017) and bullous pemphigoid (2012): widespread disease',
    // Skin that has peeled for years, as in psoriasis, is not as urgent.
    key: some(has('lesion.lesionTypes', 'bulla'), onlyIfShown(all(inSheets, not(forYears)))),
    when: all(some(fromOneWeek, worseningFast), wide),
  },
];
