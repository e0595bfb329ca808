import type { NumberKind, ValueKind } from './value-kind.ts';

/** What stands in the controls of a value: numbers, lists and JSON as they were typed. */
export type Entry = string | boolean | null | readonly string[] | { readonly [part: string]: Entry };

export type EntryProblem =
  | { code: 'number' | 'whole' | 'required' | 'invalid' | 'json' }
  | { code: 'range' | 'above'; min: number; max: number }
  | { code: 'few'; min: number }
  | { code: 'many'; max: number };

export type Parsed =
  | { ok: true; value: unknown }
  /** `path`: the part of the value that is wrong; empty for the whole. */
  | { ok: false; path: string; problem: EntryProblem };

type PartEntries = Readonly<Record<string, Entry>>;

/** The entry that stands for a value. */
export function entryOf(kind: ValueKind, value: unknown): Entry {
  switch (kind.kind) {
    case 'boolean':
      return value === true;
    case 'number':
    case 'choice':
    case 'text':
      return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    case 'choices':
      return Array.isArray(value) ? value.map(String) : [];
    case 'list':
      return Array.isArray(value) ? value.join(', ') : '';
    case 'parts': {
      if (value === null || value === undefined) return kind.isNullable ? null : emptyParts(kind.parts);
      const values = value as Record<string, unknown>;
      return Object.fromEntries(kind.parts.map((part) => [part.name, entryOf(part.kind, values[part.name])]));
    }
    case 'json':
      return JSON.stringify(value ?? null, null, 2);
  }
}

/** Empty controls for the parts of a value. */
export const emptyParts = (parts: readonly { name: string; kind: ValueKind }[]): PartEntries =>
  Object.fromEntries(parts.map((part) => [part.name, entryOf(part.kind, undefined)]));

/** What was typed; controls of other kinds have no text. */
export const textOf = (entry: Entry): string => (typeof entry === 'string' ? entry : '');

const done = (value: unknown): Parsed => ({ ok: true, value });
const wrong = (problem: EntryProblem): Parsed => ({ ok: false, path: '', problem });

/** The value that an entry stands for, or what is wrong with it. The gateway checks it again. */
export function valueOf(kind: ValueKind, entry: Entry): Parsed {
  switch (kind.kind) {
    case 'boolean':
      return done(entry === true);
    case 'choice':
      return kind.options.includes(textOf(entry)) ? done(entry) : wrong({ code: 'required' });
    case 'number':
      return numberOf(kind, textOf(entry));
    case 'text': {
      const text = textOf(entry).trim();
      if (text === '' && kind.isNullable) return done(null);
      if (text.length < kind.minLength) return wrong({ code: 'required' });
      const isTooLong = kind.maxLength !== undefined && text.length > kind.maxLength;
      const isUnfit = kind.pattern !== undefined && !new RegExp(kind.pattern, 'u').test(text);
      return isTooLong || isUnfit ? wrong({ code: 'invalid' }) : done(text);
    }
    case 'choices': {
      const chosen = entry as readonly string[];
      return chosen.length < kind.min ? wrong({ code: 'few', min: kind.min }) : done([...chosen]);
    }
    case 'list':
      return listOf(kind, textOf(entry));
    case 'parts': {
      if (entry === null) return done(null);
      return partsOf(kind, entry as PartEntries);
    }
    case 'json':
      return jsonOf(textOf(entry));
  }
}

function numberOf({ isInteger, min, max, isAbove }: NumberKind, text: string): Parsed {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) return wrong({ code: 'number' });
  if (isInteger && !Number.isInteger(value)) return wrong({ code: 'whole' });
  const isTooSmall = min !== undefined && (isAbove ? value <= min : value < min);
  if (isTooSmall || (max !== undefined && value > max)) {
    return wrong({ code: isAbove ? 'above' : 'range', min: min ?? -Infinity, max: max ?? Infinity });
  }
  return done(value);
}

function listOf(kind: Extract<ValueKind, { kind: 'list' }>, text: string): Parsed {
  const parts = text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
  if (kind.max !== undefined && parts.length > kind.max) return wrong({ code: 'many', max: kind.max });
  const values: unknown[] = [];
  for (const part of parts) {
    const parsed = valueOf(kind.of, part);
    if (!parsed.ok) return parsed;
    values.push(parsed.value);
  }
  return done(values);
}

function partsOf(kind: Extract<ValueKind, { kind: 'parts' }>, entries: PartEntries): Parsed {
  const values: [string, unknown][] = [];
  for (const { name, kind: of } of kind.parts) {
    const parsed = valueOf(of, entries[name] ?? '');
    if (!parsed.ok) return { ...parsed, path: name };
    values.push([name, parsed.value]);
  }
  return done(kind.isTuple ? values.map(([, value]) => value) : Object.fromEntries(values));
}

export function jsonOf(text: string): Parsed {
  try {
    return done(JSON.parse(text));
  } catch {
    return wrong({ code: 'json' });
  }
}
