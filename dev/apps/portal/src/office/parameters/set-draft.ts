import type { OfficeParameters, ParametersChange } from 'dermagate-client';
import { changedEntries, isSame } from '../../staff/changed-entries.ts';
import { type Entry, entryOf, valueOf } from './entry.ts';
import type { ValueKind } from './value-kind.ts';

interface OwnEntry {
  isOwn: boolean;
  entry: Entry;
}

/** For each key whether the clinic has a value of its own, and its entry. */
export type SetDraft = Readonly<Record<string, OwnEntry>>;

export type Kinds = readonly (readonly [string, ValueKind])[];

type ValuesOf = Pick<OfficeParameters, 'values' | 'defaults'>;

export const draftOf = (kinds: Kinds, { values, defaults }: ValuesOf): SetDraft =>
  Object.fromEntries(
    kinds.map(([key, kind]) => {
      const isOwn = Object.hasOwn(values, key);
      return [key, { isOwn, entry: entryOf(kind, isOwn ? values[key] : defaults[key]) }];
    }),
  );

type Values = Record<string, unknown>;
/** The values that `current` has of its own, but for those in which the draft differs from `base`, from which it began. */
export function ownValues(kinds: Kinds, draft: SetDraft, base: ValuesOf, current: ValuesOf): Values {
  const before = draftOf(kinds, base);
  const values = kinds.flatMap(([key, kind]): [string, unknown][] => {
    const given = draft[key];
    if (given === undefined || isSameValue(given, before[key])) {
      return Object.hasOwn(current.values, key) ? [[key, current.values[key]]] : [];
    }
    const parsed = given.isOwn ? valueOf(kind, given.entry) : undefined;
    return parsed?.ok ? [[key, parsed.value]] : [];
  });
  return Object.fromEntries(values);
}

/** What was entered while the default counted does not count. */
const isSameValue = (one: OwnEntry, other: OwnEntry | undefined): boolean =>
  one.isOwn === other?.isOwn && (!one.isOwn || isSame(one.entry, other.entry));

/** The values that `current` has, but for the keys in which `values` differ from those of `base`, from which they began. */
export function valuesOver(values: Values, base: Values, current: Values): Values {
  const isRemoved = (key: string) => Object.hasOwn(base, key) && !Object.hasOwn(values, key);
  const merged = { ...current, ...changedEntries(values, base) };
  return Object.fromEntries(Object.entries(merged).filter(([key]) => !isRemoved(key)));
}

export type Visibility = NonNullable<ParametersChange['visibility']>;

export interface JsonDraft {
  text: string;
  visibility: Visibility;
}

export const jsonDraftOf = ({ values, visibility }: OfficeParameters): JsonDraft => ({
  text: JSON.stringify(values, null, 2),
  visibility,
});

/** Whether nothing but the platform decides who may read the set: it has a schema, or a default of the platform. */
export const isSettled = ({ value_schema: schema, defaults }: OfficeParameters): boolean =>
  schema !== null || Object.keys(defaults).length > 0;

/** @param draft whose text is a JSON object. */
export function changeOfJson(
  { text, visibility }: JsonDraft,
  base: OfficeParameters,
  current: OfficeParameters,
): ParametersChange & { version: number } {
  return {
    values: valuesOver(JSON.parse(text) as Values, base.values, current.values),
    version: current.version,
    ...(!isSettled(current) && visibility !== base.visibility && { visibility }),
  };
}
