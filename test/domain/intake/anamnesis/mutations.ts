import fc from 'fast-check';
import { fields } from './manifest.ts';

// One mistake in a valid questionnaire, and the pointer that must name it.

type Key = string | number;
type Json = Record<string, unknown>;

export interface Mistake {
  kind: 'required' | 'unknown_field' | 'wrong_value' | 'wrong_type';
  pointer: string;
  document: Json;
}

/** Appears in every wrong value, so that a test can look for it in the answer. */
export const SUBMITTED = 'zq secret 17';

/** Any one mistake; the four kinds equally often. */
export function anyMistakeIn(document: Json): fc.Arbitrary<Mistake> {
  const places = placesIn(document);
  return fc
    .oneof(
      fc.constantFrom(...droppable(places)),
      fc.constantFrom(...withUnknownKeys(places)),
      fc.constantFrom(...withWrongValues(places)),
      fc.constantFrom(...withWrongTypes(places)),
    )
    .map(({ kind, path, change }) => {
      const copy = structuredClone(document);
      let container = copy;
      for (const key of path.slice(0, -1)) container = container[key] as Json;
      change(container, path.at(-1) ?? '');
      return { kind, pointer: pointerTo(path), document: copy };
    });
}

interface Change {
  kind: Mistake['kind'];
  path: Key[];
  change: (container: Json, key: Key) => void;
}

interface Place {
  path: Key[];
  value: unknown;
}

function placesIn(value: unknown, path: Key[] = []): Place[] {
  const here = { path, value };
  if (typeof value !== 'object' || value === null) return [here];
  const children: [Key, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [here, ...children.flatMap(([key, child]) => placesIn(child, [...path, key]))];
}

function droppable(places: Place[]): Change[] {
  const sections = ['patient', 'complaint', 'locations', 'symptoms'];
  const required = new Set([
    ...sections,
    ...fields.filter((field) => field.required === 'R' && field.path.includes('.')).map(({ path }) => path),
  ]);
  return [
    ...places
      .filter(({ path }) => required.has(manifestPath(path)))
      .map(({ path }): Change => ({
        kind: 'required',
        path,
        change: (container, key) => {
          delete container[key];
        },
      })),
    {
      kind: 'required',
      path: ['patient', 'ageYears'],
      change: (patient) => {
        delete patient['ageYears'];
        delete patient['ageGroup'];
      },
    },
  ];
}

function withUnknownKeys(places: Place[]): Change[] {
  const names = ['mucosalSite', 'a/b', '~1', '__proto__', 'constructor', ''];
  return places
    .filter(({ value }) => kindOf(value) === 'object')
    .flatMap(({ path }) =>
      names.map((name): Change => ({
        kind: 'unknown_field',
        path: [...path, name],
        change: (container) => Object.defineProperty(container, name, { value: SUBMITTED, enumerable: true }),
      })),
    );
}

function withWrongValues(places: Place[]): Change[] {
  return places
    .filter(({ path, value }) => typeof value === 'string' && isEnumeration(path))
    .map(({ path }) => ({ kind: 'wrong_value', path, change: put(SUBMITTED) }));
}

function withWrongTypes(places: Place[]): Change[] {
  const wrongValues = [null, 17.5, true, { [SUBMITTED]: SUBMITTED }, [SUBMITTED], SUBMITTED];
  return places
    .filter(({ path }) => path.length > 0)
    .flatMap(({ path, value }) =>
      wrongValues
        .filter((wrong) => kindOf(wrong) !== kindOf(value))
        .map((wrong): Change => ({ kind: 'wrong_type', path, change: put(wrong) })),
    );
}

const put = (value: unknown) => (container: Json, key: Key) => {
  container[key] = value;
};

const typeByPath = new Map(fields.map(({ path, type }) => [path, type]));

/** `['locations', 0, 'primary']` is `locations[].primary`. */
const manifestPath = (path: Key[]) =>
  path
    .map((key) => (typeof key === 'number' ? '[]' : `.${key}`))
    .join('')
    .slice(1);

function isEnumeration(path: Key[]): boolean {
  const field = manifestPath(path).replace(/\[\]$/, '');
  return /^[A-Z]/.test(typeByPath.get(field) ?? '');
}

const pointerTo = (path: Key[]) =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
