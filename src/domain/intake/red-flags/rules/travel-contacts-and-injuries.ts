import { ageBelow, ageBelowMonths, ageFrom, atLeast, has, inRegion, unsureOf } from '../conditions.ts';
import { sameRashNearby } from '../findings/appearance.ts';
import {
  febrile,
  forWeeks,
  forYears,
  painful,
  pregnant,
  quickOnset,
  recentOrOfToday,
  upToFourWeeks,
  upToOneWeek,
  upToThreeMonths,
  worseningFast,
} from '../findings/illness.ts';
import { hiv, immunosuppressed } from '../findings/medicines.ts';
import type { RedFlagRule } from './red-flag-rule.ts';
import { all, not, onlyIfShown, some, unlessExcluded } from '../answer-logic.ts';

const hotCountry = has(
  'exposures.travelRegion',
  'latin_america',
  'africa',
  'middle_east',
  'south_asia',
  'southeast_asia',
  'oceania',
);

const fingersOrToes = inRegion('hand', 'foot', 'nails');

const crusted = has('lesion.surfaceChanges', 'crusted', 'ulcerated');
const scab = some(
  has('lesion.lesionTypes', 'ulcer'),
  onlyIfShown(crusted),
  all(unsureOf('lesion.lesionTypes'), crusted),
);
const isSwollen = has(
  'lesion.swellingSites',
  'limb',
  'hands_or_feet',
  'face',
  'eyelids',
  'genitals',
  'lymph_nodes',
);
const swollenAround = some(isSwollen, unsureOf('lesion.swellingSites'));
const blister = has('lesion.lesionTypes', 'bulla');
const rawPlace = has('lesion.lesionTypes', 'ulcer', 'erosion');
const painfulOfToday = all(
  painful,
  some(worseningFast, all(atLeast('symptoms.painSeverity', 5), quickOnset)),
);
/** The scab of a swollen limb whose colour cannot be told counts as black. */
const blackSkin = some(
  has('lesion.colors', 'black', 'grey'),
  all(unsureOf('lesion.colors'), onlyIfShown(all(scab, isSwollen))),
);

/** A mole, a nail or a growth has been dark before; dying skin turns dark. */
const isNoMark = unlessExcluded(
  not(has('complaint.category', 'growth_or_mole', 'nail_problem', 'hair_loss', 'other_hair_problem')),
);

const eyeAfterInjection = onlyIfShown(
  has('lesion.eyeSymptoms', 'blurred_vision', 'pain_on_movement', 'pain'),
);

const atRisk = some(onlyIfShown(immunosuppressed), onlyIfShown(pregnant), onlyIfShown(ageBelow(1)));
const unvaccinated = onlyIfShown(has('history.measlesVaccination', 'none', 'incomplete'));
const contact = (
  ...illnesses: ('chickenpox_or_shingles' | 'measles' | 'rubella_or_slapped_cheek' | 'meningitis')[]
) => onlyIfShown(has('exposures.contactsAffected', ...illnesses));

const cosmeticInjection = has('exposures.recent', 'cosmetic_injection');
/** Asked for where a face hurts or has changed its colour lately; an answer given counts anywhere. */
const afterInjection = some(
  onlyIfShown(cosmeticInjection),
  all(
    inRegion('head_neck'),
    painful,
    has('lesion.colors', 'white', 'purple', 'blue', 'grey', 'black'),
    cosmeticInjection,
  ),
);

const hangingFace = has('symptoms.systemic', 'facial_weakness');

/** Asked for with a wound; an answer given counts anywhere. */
const accident = (...accidents: ('human_bite' | 'snake_bite' | 'needlestick')[]) =>
  some(
    onlyIfShown(has('exposures.recent', ...accidents)),
    all(has('complaint.category', 'wound_or_bite'), has('exposures.recent', ...accidents)),
  );

/** Purple lumps may be Kaposi sarcoma; many dented papules of an adult's face, molluscum or a fungus of the blood. */
const lumpsOfHiv = some(
  all(
    unlessExcluded(has('lesion.lesionTypes', 'nodule', 'plaque')),
    // Eczema and psoriasis itch.
    not(has('symptoms.local', 'itching')),
    has('lesion.colors', 'purple'),
  ),
  all(inRegion('head_neck'), onlyIfShown(has('lesion.shape', 'umbilicated'))),
);

/** Fever and journeys, contacts, dying skin, bites and injections. */
/** An accident is recent: beside an old problem only an onset that is known to be slow excludes it. */
const ofAnAccident = some(recentOrOfToday(unlessExcluded(upToOneWeek)), quickOnset);

export const travelContactAndInjuryRules: readonly RedFlagRule[] = [
  {
    id: 'RF92',
    flag: 'fever_after_travel',
    urgency: 'high',
    source: 'BMJ 2018;360:j5773, Fever in the returning traveller: malaria is excluded the same day',
    // A journey whose goal is skipped counts.
    key: all(
      febrile,
      some(hotCountry, all(onlyIfShown(has('exposures.recent', 'travel')), unlessExcluded(hotCountry))),
    ),
  },
  {
    id: 'RF93',
    flag: 'prolonged_fever',
    urgency: 'high',
    source:
      'ESC guidelines endocarditis (2023): fever with a heart disease, weight loss or signs of fingers and toes',
    key: all(febrile, forWeeks),
    when: some(
      all(
        has('history.medicalConditions', 'heart_disease'),
        some(
          has(
            'symptoms.systemic',
            'weight_loss',
            'night_sweats',
            'fatigue',
            'joint_pain',
            'shortness_of_breath',
          ),
          fingersOrToes,
        ),
      ),
      all(has('symptoms.systemic', 'weight_loss', 'night_sweats'), fingersOrToes),
    ),
  },
  {
    id: 'RF94',
    flag: 'possible_skin_necrosis',
    urgency: 'high',
    source:
      'DermNet, Skin necrosis by warfarin and heparin; UKHSA, Anthrax: a painless black scab with swelling',
    key: all(
      isNoMark,
      some(scab, blister, rawPlace, painful),
      recentOrOfToday(unlessExcluded(upToFourWeeks)),
      some(
        all(scab, some(isSwollen, onlyIfShown(blackSkin))),
        all(some(all(scab, worseningFast), blister, painfulOfToday), blackSkin),
        all(some(blister, rawPlace), painful, has('lesion.colors', 'purple')),
      ),
    ),
    when: all(
      recentOrOfToday(upToFourWeeks),
      some(
        all(some(all(scab, some(swollenAround, worseningFast)), blister, painfulOfToday), blackSkin),
        all(some(blister, rawPlace), painful, has('lesion.colors', 'purple')),
      ),
    ),
  },
  {
    id: 'RF95',
    flag: 'infection_contact_at_risk',
    urgency: 'high',
    source: 'UKHSA, Post-exposure prophylaxis for varicella and shingles: newborns',
    key: all(ageBelow(1), sameRashNearby),
    when: ageBelowMonths(1),
  },
  {
    id: 'RF96',
    flag: 'infection_contact_at_risk',
    urgency: 'high',
    source: 'UKHSA, guidance on measles, chickenpox, parvovirus and meningococcal disease: contacts at risk',
    key: some(
      contact('meningitis'),
      all(contact('measles'), some(atRisk, unvaccinated)),
      all(contact('chickenpox_or_shingles', 'rubella_or_slapped_cheek'), atRisk),
      // Whether an illness is near is asked for by the rules for pregnancy and a weak immune system.
      all(has('complaint.category', 'looks_healthy'), has('exposures.contactsAffected', 'meningitis')),
    ),
  },
  {
    id: 'RF97',
    flag: 'facial_weakness',
    urgency: 'emergency',
    source: 'NICE NG128 1.1: sudden weakness of the face is a stroke until excluded',
    key: hangingFace,
    when: some(
      has('complaint.duration', 'one_day'),
      quickOnset,
      worseningFast,
      unsureOf('complaint.duration'),
    ),
  },
  {
    id: 'RF98',
    flag: 'facial_weakness',
    urgency: 'high',
    source: 'NICE CKS Bell’s palsy: treatment within 72 hours; Ramsay Hunt, Lyme disease',
    key: hangingFace,
    when: not(forYears),
  },
  {
    id: 'RF99',
    flag: 'cosmetic_injection_complication',
    urgency: 'high',
    source: 'ACE Group, Vascular occlusion by fillers: pain, white or blotchy skin, treatment without delay',
    key: afterInjection,
    when: all(
      recentOrOfToday(upToThreeMonths),
      some(
        painful,
        worseningFast,
        febrile,
        has('lesion.colors', 'white', 'purple', 'blue', 'grey', 'black'),
        onlyIfShown(has('symptoms.local', 'numbness')),
      ),
    ),
  },
  {
    id: 'RF100',
    flag: 'cosmetic_injection_complication',
    urgency: 'emergency',
    source:
      'ACE Group, Visual loss by fillers: emergency; MHRA, botulinum toxin: weakness far from the injection',
    key: afterInjection,
    when: all(
      recentOrOfToday(upToFourWeeks),
      some(eyeAfterInjection, has('symptoms.systemic', 'muscle_weakness', 'facial_weakness')),
    ),
  },
  {
    id: 'RF101',
    flag: 'snake_bite',
    urgency: 'emergency',
    source: 'TOXBASE / NHS, Snake bites: emergency department, whatever the skin shows',
    key: accident('snake_bite'),
    when: ofAnAccident,
  },
  {
    id: 'RF102',
    flag: 'blood_exposure',
    urgency: 'high',
    source: 'BASHH / UKHSA, Post-exposure prophylaxis within 72 hours; NICE NG184 1.1: human bites',
    key: accident('human_bite', 'needlestick'),
    when: ofAnAccident,
  },
  {
    id: 'RF103',
    flag: 'growing_lesion_immunosuppressed',
    urgency: 'medium',
    source: 'BHIVA, HIV-associated malignancies: Kaposi sarcoma; molluscum of the face of an adult',
    key: all(ageFrom(18), lumpsOfHiv, hiv),
  },
];
