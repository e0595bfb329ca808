import { has, unsureOf } from '../conditions.ts';
import {
  all,
  type Condition,
  met,
  not,
  onlyIfShown,
  open,
  some,
  unlessExcluded,
  unmet,
} from '../answer-logic.ts';

const spotTypes = some(
  has('lesion.lesionTypes', 'macule', 'papule', 'patch', 'purpura'),
  unsureOf('lesion.lesionTypes'),
);

/** Purple spots, in the medical or the lay term. */
const purpleSpots = some(
  has('lesion.lesionTypes', 'purpura'),
  all(
    has('lesion.colors', 'purple'),
    unlessExcluded(has('lesion.lesionTypes', 'macule', 'papule', 'purpura')),
  ),
);

/** Purple blotches: bruises or confluent purpura. Those that fade under a glass do not count. */
export const purplePatches: Condition = all(
  has('lesion.colors', 'purple'),
  has('lesion.lesionTypes', 'patch'),
  not(onlyIfShown(has('lesion.blanching', 'blanches'))),
);

/**
 * May be purpura: spots in the colours that it has, on dark skin too; or anything purple, as purpura can form blisters and
 * lumps and patients do not choose between "spot" and "raised area" as doctors do.
 */
const mayBePurpura = some(
  all(
    spotTypes,
    some(
      has('lesion.colors', 'red', 'pink', 'purple', 'brown', 'black', 'blue', 'grey'),
      unsureOf('lesion.colors'),
    ),
  ),
  has('lesion.colors', 'purple'),
);

/**
 * Does not fade under a glass: by the test; without a test, by purple spots. Open where the test was not made and
 * spots may be purple.
 */
export const nonBlanching: Condition = (anamnesis) => {
  const { blanching } = anamnesis.lesion ?? {};
  if (blanching === 'non_blanching') return met;
  if (blanching === 'blanches') return unmet;
  if (purpleSpots(anamnesis).value === true) return met;
  const clue = mayBePurpura(anamnesis);
  return clue.value === true ? open('lesion.blanching') : clue;
};

/** Purple spots by name or by the glass test; a purple colour alone is not enough here. */
export const purpura: Condition = some(
  onlyIfShown(has('lesion.blanching', 'non_blanching')),
  has('lesion.lesionTypes', 'purpura'),
);
