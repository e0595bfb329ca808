import { ageFrom, atLeast, has, isAt, isOnlyAt } from '../conditions.ts';
import {
  hot,
  nearTheEye,
  onHead,
  oneSidedInPart,
  oneSidedOfHead,
  oneSidedSomewhere,
  vesicles,
  vesiclesOrUnsure,
  warm,
} from '../findings/appearance.ts';
import {
  febrile,
  painful,
  recentOrIllWith,
  recentOrOfToday,
  upToFourWeeks,
  upToOneWeek,
  worseningFast,
} from '../findings/illness.ts';
import { weakDefence } from '../findings/medicines.ts';
import type { RedFlagRule } from './red-flag-rule.ts';
import { all, not, onlyIfShown, some, unlessExcluded } from '../answer-logic.ts';

/** A cold sore that recurs, or that the patient recognises. Shingles of the face can reach the lips, too. */
const knownColdSore = all(
  onlyIfShown(isOnlyAt('lips')),
  some(
    onlyIfShown(has('complaint.course', 'recurrent')),
    onlyIfShown(has('history.skinConditions', 'cold_sores')),
  ),
);

/** Shingles at one place, with a second problem of the other side elsewhere. */
const groupedOnOneSide = all(oneSidedSomewhere, vesicles, has('lesion.arrangement', 'grouped'), painful);

const eyeSigns = has('lesion.eyeSymptoms', 'pain', 'light_sensitivity', 'blurred_vision', 'pain_on_movement');

/** Any place on the face; elsewhere an answer about the eyes counts if given. */
const aroundTheFace = some(onHead, onlyIfShown(eyeSigns));

const atTheEye = isAt('eyelid', 'around_eye');

const swollenEyelids = has('lesion.swellingSites', 'eyelids');

const orbital = some(
  all(aroundTheFace, has('lesion.eyeSymptoms', 'pain_on_movement')),
  all(onlyIfShown(atTheEye), has('lesion.eyeSymptoms', 'blurred_vision')),
  all(febrile, swollenEyelids),
  all(onHead, has('lesion.eyeSymptoms', 'blurred_vision'), has('lesion.swellingSites', 'eyelids', 'face')),
);

export const eyesAndShinglesRules: readonly RedFlagRule[] = [
  {
    id: 'RF11',
    flag: 'periorbital_infection',
    urgency: 'emergency',
    source: 'NICE NG141 1.2: infection near the eyes; CKS, orbital cellulitis',
    key: orbital,
    when: all(
      recentOrIllWith(orbital),
      some(onlyIfShown(atTheEye), febrile, swollenEyelids, hot, worseningFast),
    ),
  },
  {
    id: 'RF72',
    flag: 'periorbital_infection',
    urgency: 'high',
    source: 'NICE NG141 1.2: infection near the eyes, also without fever',
    key: all(onHead, painful, swollenEyelids),
    when: all(recentOrIllWith(swollenEyelids, recentOrOfToday(upToFourWeeks)), some(warm, worseningFast)),
  },
  {
    id: 'RF62',
    flag: 'eye_involvement',
    urgency: 'high',
    source: 'NICE CKS Red eye: pain, light sensitivity or loss of vision, same day',
    key: all(aroundTheFace, eyeSigns),
    when: recentOrIllWith(eyeSigns),
  },
  {
    id: 'RF15',
    flag: 'ophthalmic_zoster',
    urgency: 'high',
    source: 'NICE CKS Shingles: ophthalmic distribution, Hutchinson sign',
    key: all(onHead, some(vesiclesOrUnsure, all(oneSidedOfHead, painful))),
    when: all(
      recentOrIllWith(vesiclesOrUnsure),
      vesiclesOrUnsure,
      nearTheEye,
      some(
        oneSidedOfHead,
        onlyIfShown(groupedOnOneSide),
        has('lesion.eyeSymptoms', 'redness', 'pain', 'light_sensitivity', 'blurred_vision'),
      ),
    ),
  },
  {
    id: 'RF16',
    flag: 'shingles_antiviral_window',
    urgency: 'high',
    source: 'NICE CKS Shingles: antiviral within 72 hours; ear and facial weakness (Ramsay Hunt)',
    key: some(
      has('lesion.arrangement', 'dermatomal'),
      all(oneSidedInPart, vesicles),
      all(oneSidedInPart, has('lesion.arrangement', 'grouped'), painful),
      onlyIfShown(groupedOnOneSide),
    ),
    when: all(
      recentOrOfToday(upToOneWeek),
      vesiclesOrUnsure,
      // Along a nerve it is shingles also where it tingles or itches.
      some(
        unlessExcluded(painful),
        onlyIfShown(has('lesion.arrangement', 'dermatomal')),
        onlyIfShown(has('symptoms.local', 'tingling', 'numbness')),
      ),
      not(knownColdSore),
      some(
        onHead,
        ageFrom(50),
        weakDefence,
        // An unknown immune status is not a normal one.
        onlyIfShown(has('history.immuneStatus', 'unknown')),
        onlyIfShown(atLeast('symptoms.painSeverity', 6)),
        onlyIfShown(has('symptoms.systemic', 'muscle_weakness')),
      ),
    ),
  },
  {
    id: 'RF85',
    flag: 'shingles_antiviral_window',
    urgency: 'high',
    source: 'NICE CKS Shingles and Bell’s palsy: weakness of the face with pain of the ear (Ramsay Hunt)',
    key: all(onHead, painful, has('symptoms.systemic', 'muscle_weakness')),
    when: all(recentOrOfToday(upToFourWeeks), some(oneSidedOfHead, onlyIfShown(groupedOnOneSide))),
  },
];
