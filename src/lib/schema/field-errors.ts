import { z } from 'zod';
import type { FieldError } from '../../contract/problem.ts';

/** Maximum number of fields in one reply. */
export const MAX_FIELD_ERRORS = 100;

/**
 * Zod's issues as the `errors[]` of a problem: one entry per wrong field, in document order, missing fields after present
 * ones. A schema chooses its code by `params.code` of a refinement and its message by `error`. Messages never repeat a
 * submitted value.
 *
 * @param input the parsed value: zod's issues are unordered and do not distinguish a missing value from a wrong one.
 */
export function fieldErrors(error: z.ZodError, input: unknown): FieldError[] {
  const errors = inDocumentOrder(withoutConsequences(error.issues).flatMap(toRefusals), input).map(
    ({ path, issue }) => {
      const value = valueAt(input, path);
      return { pointer: jsonPointer(path), code: codeOf(issue, value), message: messageOf(issue, value) };
    },
  );
  // Two checks of a schema may mean the same, as the range of `int` and a maximum.
  return [...new Map(errors.map((each) => [JSON.stringify(each), each])).values()].slice(0, MAX_FIELD_ERRORS);
}

/** RFC 6901. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Drops further issues of a value with the wrong type: zod also checks the length of text where it expects a list. */
function withoutConsequences(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const mistyped = new Set(
    issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => jsonPointer(path)),
  );
  return issues.filter(({ code, path }) => code === 'invalid_type' || !mistyped.has(jsonPointer(path)));
}

interface Refusal {
  path: readonly PropertyKey[];
  issue: z.core.$ZodIssue;
}

function toRefusals(issue: z.core.$ZodIssue): Refusal[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, issue }];
  return issue.keys.map((key) => ({ path: [...issue.path, key], issue }));
}

function codeOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'custom') return String(issue.params?.['code'] ?? 'invalid_value');
  if (issue.code === 'unrecognized_keys') return 'unknown_field';
  if (value === undefined) return 'required';
  switch (issue.code) {
    case 'invalid_type':
    case 'too_small':
    case 'too_big':
    case 'invalid_format':
      return issue.code;
    case 'invalid_value':
      return issue.values.some((allowed) => typeof allowed === typeof value)
        ? 'invalid_value'
        : 'invalid_type';
    default:
      return 'invalid_value';
  }
}

function messageOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'unrecognized_keys') return 'This field is unknown.';
  if (issue.code === 'custom' || issue.message !== zodsOwnMessage(issue, value)) return issue.message;
  if (value === undefined) return 'This field is required.';
  switch (issue.code) {
    case 'invalid_type':
      return `Must be ${typeNames[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      if (issue.values.length === 1) return `Must be ${JSON.stringify(issue.values[0])}.`;
      return `Must be one of: ${issue.values.map(String).join(', ')}.`;
    case 'too_small':
      return `Must ${bound(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum)}.`;
    case 'too_big':
      return `Must ${bound(issue.origin, issue.inclusive ? 'at most' : 'less than', issue.maximum)}.`;
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}.`;
    case 'invalid_format':
      return `Must be ${formatNames[issue.format] ?? 'in the required format'}.`;
    default:
      return 'Must have one of the allowed forms.';
  }
}

const english = z.locales.en().localeError;

/** Zod's default message; any other message comes from the schema and wins over ours. */
function zodsOwnMessage(issue: z.core.$ZodIssue, value: unknown): unknown {
  const message = english({ ...issue, input: value } as z.core.$ZodRawIssue);
  return typeof message === 'object' ? message?.message : message;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const formatNames: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'a URL',
  uuid: 'a UUID',
  datetime: 'a date and time such as 2026-05-04T09:30:00Z',
  date: 'a date such as 2026-05-04',
  base64: 'base64',
};

function bound(origin: string, relation: string, limit: number | bigint): string {
  const unit = { string: 'character', array: 'item', set: 'item', map: 'entry' }[origin];
  if (unit === undefined) return `be ${relation} ${limit}`;
  return `have ${relation} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`;
}

/** Of an item of a list that was sent as one text, such as `a,b`, that text. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = value[key as keyof typeof value];
  }
  return value;
}

function inDocumentOrder(refusals: readonly Refusal[], input: unknown): Refusal[] {
  const keyPositions = new Map<object, Map<PropertyKey, number>>();
  const positionOf = (container: object, key: PropertyKey): number => {
    let positions = keyPositions.get(container);
    if (positions === undefined) {
      positions = new Map(Object.keys(container).map((name, index) => [name, index]));
      keyPositions.set(container, positions);
    }
    return positions.get(String(key)) ?? Number.MAX_SAFE_INTEGER;
  };
  const positionsAlong = (path: readonly PropertyKey[]): number[] => {
    let value = input;
    return path.map((key) => {
      if (typeof value !== 'object' || value === null) return Number.MAX_SAFE_INTEGER;
      const position = positionOf(value, key);
      value = valueAt(value, [key]);
      return position;
    });
  };
  return refusals
    .map((refusal) => ({ refusal, positions: positionsAlong(refusal.path) }))
    .toSorted((a, b) => comparePositions(a.positions, b.positions))
    .map(({ refusal }) => refusal);
}

/** Parents sort before their children, as in the document. */
function comparePositions(a: readonly number[], b: readonly number[]): number {
  const different = a.findIndex((position, depth) => position !== b[depth]);
  if (different === -1) return a.length - b.length;
  return (a[different] ?? -1) - (b[different] ?? -1);
}
