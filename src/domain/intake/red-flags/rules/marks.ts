import { ageFrom, has, inRegion, isAt, unsureOf } from '../conditions.ts';
import { growing, hot, only, pus, ulcer } from '../findings/appearance.ts';
import { forMonths, forWeeks, markLike, rashLike, worsening, worseningFast } from '../findings/illness.ts';
import { immunosuppressed } from '../findings/medicines.ts';
import { growingLump, majorFeature, sevenPointsAtLeast, uglyDuckling } from '../findings/moles.ts';
import type { RedFlagRule } from './red-flag-rule.ts';
import { all, not, onlyIfShown, some, unlessExcluded } from '../answer-logic.ts';

/** A growth, a wound or another problem in the patient's words, but not a rash. */
const notARash = has('complaint.category', 'growth_or_mole', 'wound_or_bite', 'other', 'pigmentary_problem');

/** One place, by count or by extent. */
const oneSpot = some(has('lesion.count', 'single'), onlyIfShown(has('lesion.extent', 'single_spot')));

/** A lump or sore of the nail is not a fungal infection. */
const nailLump = all(
  onlyIfShown(has('complaint.category', 'nail_problem')),
  onlyIfShown(some(ulcer, has('lesion.lesionTypes', 'nodule'), has('symptoms.local', 'bleeding'))),
);

const ulcerOrBleeding = some(ulcer, has('lesion.lesionTypes', 'nodule'), has('symptoms.local', 'bleeding'));
const soreOrBleeding = some(
  ulcer,
  has('lesion.surfaceChanges', 'crusted'),
  has('symptoms.local', 'bleeding'),
  has('lesion.changes', 'bleeding', 'crusting'),
);

const pigmented = has('lesion.colors', 'brown', 'black', 'blue');

/** Nails, by place, by complaint or by a change of the nail. */
const nails = some(
  inRegion('nails'),
  onlyIfShown(has('complaint.category', 'nail_problem')),
  onlyIfShown(has('lesion.nailChanges', 'dark_streak', 'widening_dark_streak')),
);

const pearly = some(has('lesion.surfaceChanges', 'shiny_pearly'), has('lesion.border', 'rolled_raised'));

const firm = has('lesion.textures', 'firm_or_hard');
/** Soft, filled with fluid or warty, and not firm. */
const softOrWarty = all(has('lesion.textures', 'soft', 'fluid_filled', 'warty'), not(firm));

/** Unlike all others, and itching, bleeding or at least 7 mm; seborrhoeic warts and birthmarks are excluded. */
const recentUglyDuckling = all(
  markLike,
  pigmented,
  uglyDuckling,
  sevenPointsAtLeast(2),
  unlessExcluded(not(has('complaint.duration', 'more_than_five_years', 'since_childhood'))),
  unlessExcluded(not(softOrWarty)),
);

/** An age spot or a mole that its owner calls something else, a rash, acne or a wound: flat, brown or black, and there for months. */
const mayBeMark = some(
  markLike,
  all(
    some(
      has('complaint.category', 'other'),
      all(
        has('complaint.category', 'rash', 'acne', 'wound_or_bite'),
        some(onlyIfShown(only('macule', 'patch')), unsureOf('lesion.lesionTypes')),
        // Eczema itches.
        not(has('symptoms.local', 'itching')),
      ),
    ),
    some(forMonths, has('complaint.duration', 'more_than_five_years', 'since_childhood')),
    pigmented,
  ),
);

/** Twenty and more scaly patches are an eczema, a fungus or age warts, and no mole; asked for where they scale. */
const manyAlike = all(
  onlyIfShown(has('lesion.surfaceChanges', 'scaly', 'greasy_scale', 'silvery_scale')),
  not(onlyIfShown(uglyDuckling)),
  has('lesion.count', 'more_than_twenty', 'confluent'),
);

const slowly = has(
  'complaint.duration',
  'three_to_twelve_months',
  'more_than_one_year',
  'more_than_five_years',
);

/** Marks that may be skin cancer: within two weeks (NICE NG12) unless a rule says otherwise. */
export const markRules: readonly RedFlagRule[] = [
  {
    id: 'RF22',
    flag: 'suspicious_pigmented_lesion',
    urgency: 'medium',
    source: 'NICE NG12 1.7.1: weighted 7-point checklist, 3 points and more; PCDS, the ugly duckling',
    // Three features that count 1 are 3 points, too; they are not asked for.
    key: some(
      all(some(mayBeMark, onlyIfShown(majorFeature)), majorFeature),
      onlyIfShown(uglyDuckling),
      onlyIfShown(all(markLike, sevenPointsAtLeast(3))),
    ),
    when: some(
      all(some(mayBeMark, onlyIfShown(all(pigmented, majorFeature))), sevenPointsAtLeast(3), not(manyAlike)),
      onlyIfShown(recentUglyDuckling),
    ),
  },
  {
    id: 'RF23',
    flag: 'rapidly_growing_nodule',
    urgency: 'medium',
    source: 'NICE NG12 1.7.3: nodular melanoma; elevated, firm and growing',
    key: growingLump,
    when: all(
      some(
        unlessExcluded(has('complaint.category', 'growth_or_mole', 'other')),
        all(rashLike, onlyIfShown(has('lesion.lesionTypes', 'nodule')), oneSpot),
      ),
      some(forWeeks, all(has('complaint.duration', 'three_to_twelve_months'), worseningFast)),
      unlessExcluded(ageFrom(12)),
      unlessExcluded(not(softOrWarty)),
      // An abscess, unless it is as firm as a melanoma.
      unlessExcluded(not(all(some(pus, hot), not(onlyIfShown(firm))))),
    ),
  },
  {
    id: 'RF24',
    flag: 'non_healing_lesion',
    urgency: 'medium',
    source: 'NICE NG12 1.7.4: squamous cell carcinoma',
    key: soreOrBleeding,
    when: all(
      some(unlessExcluded(some(notARash, nailLump)), all(rashLike, ulcerOrBleeding, oneSpot)),
      unlessExcluded(ageFrom(40)),
      unlessExcluded(has('lesion.count', 'single', 'two_to_five')),
      forMonths,
    ),
  },
  {
    id: 'RF25',
    flag: 'growing_lesion_immunosuppressed',
    urgency: 'medium',
    source: 'NICE NG12 1.7; BAD, skin cancer in organ-transplant recipients',
    key: immunosuppressed,
    when: all(
      some(unlessExcluded(notARash), oneSpot),
      some(growing, ulcer, has('lesion.lesionTypes', 'nodule')),
    ),
  },
  {
    id: 'RF26',
    flag: 'acral_or_nail_pigment',
    urgency: 'medium',
    source: 'PCDS, Acral and subungual melanoma',
    key: some(
      all(nails, has('lesion.nailChanges', 'dark_streak', 'widening_dark_streak')),
      all(isAt('sole', 'heel', 'palm', 'toes', 'fingernail', 'toenail', 'nail_fold'), pigmented),
    ),
    when: some(
      all(
        nails,
        some(
          has('lesion.nailChanges', 'widening_dark_streak'),
          all(has('lesion.nailChanges', 'dark_streak'), has('lesion.nailChanges', 'lifting')),
        ),
      ),
      all(
        nails,
        onlyIfShown(has('lesion.colors', 'black')),
        has('complaint.duration', 'one_to_three_months', 'three_to_twelve_months'),
        unlessExcluded(not(has('complaint.progression', 'improving', 'stable'))),
      ),
      has('lesion.changes', 'size', 'color', 'shape', 'new_lesion'),
      worsening,
    ),
  },
  {
    id: 'RF27',
    flag: 'possible_bcc',
    urgency: 'low',
    source: 'NICE NG12 1.7.5: basal cell carcinoma, routine referral',
    key: pearly,
    when: slowly,
  },
  {
    id: 'RF63',
    flag: 'possible_bcc',
    urgency: 'medium',
    source: 'NICE NG12 1.7.6: basal cell carcinoma where the site or the size matters',
    key: pearly,
    when: all(unlessExcluded(slowly), isAt('eyelid', 'around_eye', 'nose', 'lips', 'ear')),
  },
];
