import { secondaryByPrimary } from '../../anamnesis/vocabulary/locations.ts';
import { has, inRegion, isAt, isOnlyAt } from '../conditions.ts';
import { hot, pus, ulcer, warm } from '../findings/appearance.ts';
import {
  febrile,
  painful,
  quickOnset,
  recentOrOfToday,
  spreadingWithinHours,
  upToFourWeeks,
  upToOneWeek,
  worseningFast,
} from '../findings/illness.ts';
import type { RedFlagRule } from './red-flag-rule.ts';
import { all, not, onlyIfShown, some, unlessExcluded } from '../answer-logic.ts';

/** Signs of an infected wound. */
const infectedWound = some(pus, hot, febrile, all(warm, painful, worseningFast), all(painful, worseningFast));

const woundOrBite = has('complaint.category', 'wound_or_bite');
const animalBite = some(
  onlyIfShown(has('exposures.recent', 'animal_bite')),
  all(woundOrBite, has('exposures.recent', 'animal_bite')),
);
/** By an animal or a person: both infect, and both count at hand, foot, face and genitals. */
const bite = some(
  onlyIfShown(has('exposures.recent', 'animal_bite', 'human_bite')),
  all(woundOrBite, has('exposures.recent', 'animal_bite', 'human_bite')),
);

/** A nail of a finger or of a toe is a question only where it is sore or black. */
const onToenail = all(
  inRegion('nails'),
  some(onlyIfShown(ulcer), onlyIfShown(painful), onlyIfShown(has('lesion.colors', 'black'))),
  isAt('toenail'),
);
const onFoot = some(inRegion('foot'), onlyIfShown(isAt('ankle', 'toenail')), onToenail);
/** An insect bite is none, unless there is a wound beside it. */
const wound = all(
  woundOrBite,
  some(
    not(onlyIfShown(has('exposures.recent', 'insect_bite'))),
    onlyIfShown(has('exposures.recent', 'wound_or_cut', 'animal_bite')),
  ),
);
/** A problem on any foot; the further signs count only with known diabetes. */
const openFoot = some(ulcer, has('lesion.lesionTypes', 'erosion', 'bulla'), wound);
const footProblem = some(
  openFoot,
  onlyIfShown(pus),
  // A hot or swollen foot without pain can be a Charcot foot (NG19 1.6).
  warm,
  has('lesion.swellingSites', 'hands_or_feet'),
);
const diabetes = has('history.medicalConditions', 'diabetes');

/** Regions where dogs have rabies. */
const hotRegion = has(
  'exposures.travelRegion',
  'latin_america',
  'africa',
  'middle_east',
  'south_asia',
  'southeast_asia',
);

/** Wounds, bites, burns and sore feet. */
export const woundRules: readonly RedFlagRule[] = [
  {
    id: 'RF43',
    flag: 'infected_bite',
    urgency: 'high',
    source: 'NICE NG184 1.1: human and animal bites with signs of infection',
    key: all(some(bite, woundOrBite), infectedWound),
    when: all(recentOrOfToday(unlessExcluded(upToFourWeeks)), bite),
  },
  {
    id: 'RF73',
    flag: 'infected_bite',
    urgency: 'high',
    source:
      'NICE NG184 1.1: bites of hand, foot, face or genitals are seen early, also before an infection shows',
    key: bite,
    when: all(recentOrOfToday(upToOneWeek), inRegion('head_neck', 'mouth', 'hand', 'foot', 'groin_genitals')),
  },
  {
    id: 'RF44',
    flag: 'bite_abroad',
    urgency: 'high',
    source: 'UKHSA, Rabies: post-exposure treatment',
    key: animalBite,
    // Where the region is skipped, a journey is enough: a rabies vaccination is not asked for.
    when: some(hotRegion, all(onlyIfShown(has('exposures.recent', 'travel')), unlessExcluded(hotRegion))),
  },
  {
    id: 'RF86',
    flag: 'deep_burn_or_wound',
    urgency: 'high',
    source:
      'NHS, Burns and scalds; British Burn Association, referral: numb, deep, electrical or chemical burns',
    key: all(woundOrBite, has('symptoms.local', 'numbness')),
    when: all(recentOrOfToday(upToOneWeek), unlessExcluded(quickOnset)),
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
      // A sore mouth is common in the bowel diseases that cause such an ulcer elsewhere.
      unlessExcluded(not(isOnlyAt(...secondaryByPrimary.mouth))),
      // Aphthae and herpes come back there; so does pyoderma gangrenosum, but on the legs.
      unlessExcluded(
        not(all(has('complaint.course', 'recurrent'), inRegion('mouth', 'head_neck', 'groin_genitals'))),
      ),
    ),
  },
];
