import { possibleAges, possibleMonths } from '../anamnesis/age.ts';
import type { PartialAnamnesis } from '../anamnesis/anamnesis.schemas.ts';
import { BodySurfaceExtent, Size } from '../anamnesis/vocabulary/lesion-appearance.ts';
import {
  LocationPrimary,
  type LocationSecondary,
  secondaryByPrimary,
} from '../anamnesis/vocabulary/locations.ts';
import {
  type AnswerAt,
  answerOf,
  type SectionField,
  type ValueAt,
  all,
  type Condition,
  decided,
  met,
  open,
  unmet,
} from './answer-logic.ts';

/** Answers that mean "I do not know": they leave a condition as open as a missing answer. */
const unsure: ReadonlySet<unknown> = new Set(['unknown', 'not_sure', 'not_tested', 'prefer_not_to_say']);

/** The answer is, or the multi-select has, one of the values. */
export const has = <Field extends SectionField>(
  field: Field,
  ...values: NoInfer<ValueAt<Field>>[]
): Condition => {
  const read = answerOf(field);
  const isOpen = open(field);
  const wanted: ReadonlySet<unknown> = new Set(values);
  return (anamnesis) => {
    const answer = read(anamnesis);
    if (answer === undefined) return isOpen;
    const chosen: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
    if (chosen.some((value) => wanted.has(value))) return met;
    return chosen.some((value) => unsure.has(value)) ? isOpen : unmet;
  };
};

/** The answer was given, as "I do not know"; while it is missing it is not. */
export const unsureOf = (field: SectionField): Condition => {
  const read = answerOf(field);
  return (anamnesis) => {
    const answer: unknown = read(anamnesis);
    const chosen: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
    return decided(chosen.some((value) => unsure.has(value)));
  };
};

type NumberField = {
  [Field in SectionField]: AnswerAt<Field> extends number ? Field : never;
}[SectionField];

export const atLeast = (field: NumberField, limit: number): Condition => {
  const read = answerOf(field);
  return (anamnesis) => {
    const answer = read(anamnesis);
    return answer === undefined ? open(field) : decided(answer >= limit);
  };
};

/** Extent and size are ordered enumerations; `unknown` and `not_sure` have no place in the order. */
export const extentAtLeast = (minimum: BodySurfaceExtent): Condition =>
  has('lesion.extent', ...from(extentsInOrder, minimum));

export const sizeAtLeast = (minimum: Size): Condition =>
  has(
    'lesion.size',
    ...from(
      Size.options.filter((size) => size !== 'not_sure'),
      minimum,
    ),
  );

const extentsInOrder = BodySurfaceExtent.options.filter((extent) => extent !== 'unknown');

const from = <Value>(inOrder: readonly Value[], minimum: Value) => inOrder.slice(inOrder.indexOf(minimum));

/** The patient is younger than `years`. An age band counts when any age in it does. */
export const ageBelow =
  (years: number): Condition =>
  ({ patient }) => {
    const ages = possibleAges(patient);
    return ages === undefined ? open('patient.ageYears') : decided(ages.min < years);
  };

/** The patient is `years` or older. An age band counts when any age in it does. */
export const ageFrom =
  (years: number): Condition =>
  ({ patient }) => {
    const ages = possibleAges(patient);
    return ages === undefined ? open('patient.ageYears') : decided(ages.max >= years);
  };

/** The patient is younger than `months`; years alone leave it open for a child around that age. */
export const ageBelowMonths =
  (months: number): Condition =>
  ({ patient }) => {
    const possible = possibleMonths(patient);
    if (possible === undefined) return open('patient.ageYears');
    if (possible.max < months) return met;
    return possible.min >= months ? unmet : open('patient.ageMonths');
  };

/** The problem is in one of these regions. */
export const inRegion =
  (...regions: readonly LocationPrimary[]): Condition =>
  ({ locations = [] }) => {
    const named = locations.map(regionOf);
    if (named.some((region) => region !== undefined && regions.includes(region))) return met;
    const isKnown = named.length > 0 && !named.includes(undefined);
    return isKnown ? unmet : open('locations[].primary');
  };

export type Place = NonNullable<PartialAnamnesis['locations']>[number];

/** The named region, or the one that the exact place belongs to. */
export function regionOf({ primary, secondary }: Place): LocationPrimary | undefined {
  if (primary !== undefined || secondary === undefined) return primary;
  return LocationPrimary.options.find((region) => hasPlace(region, [secondary]));
}

/** The problem is at one of these places; open for a region with such a place when no exact place is named. */
export const isAt =
  (...places: readonly LocationSecondary[]): Condition =>
  ({ locations = [] }: PartialAnamnesis) => {
    if (locations.length === 0) return open('locations[].primary');
    if (locations.some(({ secondary }) => secondary !== undefined && places.includes(secondary))) return met;
    const bare = locations.filter(({ secondary }) => secondary === undefined);
    if (bare.some(({ primary }) => primary !== undefined && isWithin(primary, places))) return met;
    if (bare.some(({ primary }) => primary === undefined)) return open('locations[].primary');
    return bare.some(({ primary }) => primary !== undefined && hasPlace(primary, places))
      ? open('locations[].secondary')
      : unmet;
  };

/** The problem is at these places and at no other. */
export const isOnlyAt = (...places: readonly LocationSecondary[]): Condition => {
  const isAtPlaces = isAt(...places);
  return ({ locations = [] }) => {
    if (locations.length === 0) return open('locations[].primary');
    const oneByOne = locations.map(
      (location): Condition =>
        () =>
          isAtPlaces({ locations: [location] }),
    );
    return all(...oneByOne)({});
  };
};

/** Whether every place of the region is among them, so that the region alone is enough. */
const isWithin = (region: LocationPrimary, places: readonly LocationSecondary[]) =>
  secondaryByPrimary[region].every((place) => places.includes(place));

const hasPlace = (region: LocationPrimary, places: readonly LocationSecondary[]) =>
  secondaryByPrimary[region].some((place) => places.includes(place));
