import { atLeast, has, sizeAtLeast } from '../conditions.ts';
import {
  type AnswerField,
  all,
  type Condition,
  decided,
  onlyIfShown,
  open,
  some,
  unlessExcluded,
} from '../answer-logic.ts';
import { growing } from './appearance.ts';

/** Irregular in lay terms: a jagged edge, or halves that do not look alike. */
const irregularShape = some(
  onlyIfShown(has('lesion.shape', 'irregular')),
  onlyIfShown(has('lesion.changes', 'shape')),
  all(has('lesion.border', 'irregular'), unlessExcluded(has('lesion.symmetry', 'asymmetrical'))),
  all(
    onlyIfShown(has('lesion.symmetry', 'asymmetrical')),
    unlessExcluded(has('lesion.border', 'irregular', 'blurred')),
  ),
);

const irregularColor = some(
  onlyIfShown(has('lesion.changes', 'color')),
  has('lesion.colorPattern', 'irregular_pigment', 'three_or_more_colors'),
);

/** Features that count 2, and features that count 1 (NICE NG12, weighted 7-point checklist). */
const major: readonly Condition[] = [has('lesion.changes', 'size'), irregularShape, irregularColor];
const minor: readonly Condition[] = [
  some(onlyIfShown(atLeast('lesion.sizeMm', 7)), sizeAtLeast('from_7_to_10_mm')),
  has('lesion.changes', 'inflammation'),
  some(
    has('lesion.changes', 'bleeding', 'crusting'),
    onlyIfShown(has('symptoms.local', 'bleeding')),
    onlyIfShown(has('lesion.surfaceChanges', 'crusted', 'golden_crust')),
    onlyIfShown(has('lesion.discharge', 'clear', 'pus', 'blood', 'mixed')),
  ),
  some(
    onlyIfShown(has('lesion.changes', 'sensation')),
    all(has('complaint.category', 'growth_or_mole'), has('symptoms.local', 'itching', 'pain')),
  ),
  // Not in the checklist, but counted as a minor feature: a mark that is new, or unlike the others.
  some(onlyIfShown(has('lesion.changes', 'new_lesion')), onlyIfShown(isUnlikeTheOthers)),
];

/** A score of at least `minimum`. */
export const sevenPointsAtLeast =
  (minimum: number): Condition =>
  (anamnesis) => {
    let lowest = 0;
    let highest = 0;
    const openFields: AnswerField[] = [];
    for (const [weight, features] of [
      [2, major],
      [1, minor],
    ] as const) {
      for (const feature of features) {
        const truth = feature(anamnesis);
        if (truth.value === true) lowest += weight;
        if (truth.value !== false) highest += weight;
        openFields.push(...truth.openFields);
      }
    }
    if (lowest >= minimum) return decided(true);
    return highest < minimum ? decided(false) : open(...new Set(openFields));
  };

/** One of the three features that count double. */
export const majorFeature: Condition = some(...major);

function isUnlikeTheOthers({ lesion }: Parameters<Condition>[0]) {
  const { differentFromOthers } = lesion ?? {};
  return differentFromOthers === undefined
    ? open('lesion.differentFromOthers')
    : decided(differentFromOthers);
}

/** Unlike the patient's other moles. */
export const uglyDuckling: Condition = isUnlikeTheOthers;

/** A lump that can be felt and grows. */
export const growingLump: Condition = all(
  some(
    has('lesion.elevation', 'raised', 'slightly_raised'),
    onlyIfShown(has('lesion.lesionTypes', 'nodule')),
    onlyIfShown(has('lesion.shape', 'dome_shaped')),
  ),
  growing,
);
