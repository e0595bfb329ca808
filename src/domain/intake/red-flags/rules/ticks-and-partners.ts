import { ageFrom, atLeast, has, inRegion, sizeAtLeast } from '../conditions.ts';
import {
  growing,
  palmsAndSoles,
  palmsOrSoles,
  raw,
  ringShaped,
  scaly,
  generalized,
  only,
  onlyVesicles,
} from '../findings/appearance.ts';
import {
  forYears,
  rashLike,
  recentOrOfToday,
  upToOneWeek,
  worseningFast,
  upToThreeMonths,
} from '../findings/illness.ts';
import type { RedFlagRule } from './red-flag-rule.ts';
import { all, not, onlyIfShown, some, unlessExcluded } from '../answer-logic.ts';

const tickBite = has('exposures.recent', 'tick_bite');
/** With a tick bite it counts, whatever the complaint is called. */
const largeAfterTick = all(
  tickBite,
  some(ringShaped, has('lesion.changes', 'size')),
  sizeAtLeast('from_21_to_50_mm'),
);
/** Ringworm scales and itches; a scale alone excludes nothing. */
const ringworm = all(
  scaly,
  some(has('symptoms.local', 'itching'), onlyIfShown(has('lesion.border', 'advancing_scaly'))),
);
/** Erythema migrans is one spreading patch, not a blister, wheal or pustule. */
const maySpreadAsRing = all(
  unlessExcluded(not(has('complaint.duration', 'one_day'))),
  unlessExcluded(not(only('vesicle', 'bulla', 'pustule', 'wheal', 'comedo', 'erosion'))),
  unlessExcluded(not(generalized)),
  unlessExcluded(not(ringworm)),
  unlessExcluded(growing),
);
const newPartner = has('exposures.recent', 'new_sexual_partner');
/** Lyme disease and syphilis. */
export const tickAndPartnerRules: readonly RedFlagRule[] = [
  {
    id: 'RF28',
    flag: 'possible_erythema_migrans',
    urgency: 'medium',
    source: 'NICE NG95 1.2: erythema migrans, with or without a tick bite that was noticed',
    key: some(
      all(unlessExcluded(rashLike), some(all(maySpreadAsRing, ringShaped), tickBite)),
      onlyIfShown(largeAfterTick),
    ),
    when: some(
      all(
        recentOrOfToday(unlessExcluded(upToThreeMonths)),
        tickBite,
        some(ringShaped, growing, sizeAtLeast('from_21_to_50_mm')),
      ),
      all(
        unlessExcluded(not(ringworm)),
        ringShaped,
        recentOrOfToday(unlessExcluded(upToThreeMonths)),
        some(onlyIfShown(atLeast('lesion.sizeMm', 50)), sizeAtLeast('over_50_mm')),
        unlessExcluded(growing),
      ),
    ),
  },
  {
    id: 'RF75',
    flag: 'possible_erythema_migrans',
    urgency: 'high',
    source: 'NICE NG95 1.2: Lyme disease with signs of the nervous system',
    key: tickBite,
    when: all(
      recentOrOfToday(unlessExcluded(upToThreeMonths)),
      has('symptoms.systemic', 'muscle_weakness', 'facial_weakness'),
    ),
  },
  {
    id: 'RF30',
    flag: 'possible_syphilis_or_sti',
    urgency: 'medium',
    source: 'BASHH guideline syphilis (2015)',
    key: some(palmsOrSoles, onlyIfShown(newPartner), all(inRegion('groin_genitals'), newPartner)),
    when: all(
      unlessExcluded(rashLike),
      some(unlessExcluded(not(forYears)), worseningFast),
      some(
        all(
          palmsAndSoles,
          some(
            newPartner,
            has('lesion.mucosalSites', 'genitals'),
            // The second stage without a partner who is called new: patches of the mouth, glands, the trunk.
            all(
              unlessExcluded(ageFrom(13)),
              // Hand, foot and mouth disease.
              not(all(onlyVesicles, onlyIfShown(upToOneWeek))),
              some(
                has('lesion.swellingSites', 'lymph_nodes'),
                onlyIfShown(has('lesion.mucosalSites', 'mouth')),
                onlyIfShown(has('symptoms.systemic', 'mouth_sores')),
              ),
            ),
          ),
        ),
        all(newPartner, some(has('lesion.mucosalSites', 'genitals'), all(inRegion('groin_genitals'), raw))),
      ),
    ),
  },
];
