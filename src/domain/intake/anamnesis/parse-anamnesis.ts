import { z } from 'zod';
import { fieldErrors, jsonPointer } from '../../../lib/schema/field-errors.ts';
import { type FieldError, Problem } from '../../../contract/problem.ts';
import { Anamnesis, PartialAnamnesis } from './anamnesis.schemas.ts';
import { parseStrictJsonText } from '../../../lib/json/strict-json.ts';
import { findContradictions } from './cross-field-checks.ts';
import type { Language } from '../../../contract/language.ts';

export interface ParseOptions<IsPartial extends boolean = boolean> {
  /** Language of the request; the default of an anamnesis without one. */
  language: Language;
  /** Hosts, in lower case, on which `images[].url` may point; nothing is ever fetched from them. */
  imageUrlHosts: readonly string[];
  /** Accept answers that are not complete yet; those that are present must still be valid. */
  partial?: IsPartial;
}

export type Parsed<Value> = { ok: true; value: Value } | { ok: false; errors: FieldError[] };

/**
 * Checks a questionnaire, field by field and fields against each other. Names every wrong field in one reply, up to
 * `MAX_FIELD_ERRORS`, by a pointer relative to the anamnesis; messages never repeat what was submitted.
 *
 * @param input a JSON value.
 */
export function parseAnamnesis<IsPartial extends boolean = false>(
  input: unknown,
  options: ParseOptions<IsPartial>,
): Parsed<IsPartial extends true ? PartialAnamnesis : Anamnesis> {
  const document = isObject(input) ? { schemaVersion: '1', language: options.language, ...input } : input;
  const schema = options.partial === true ? PartialAnamnesis : Anamnesis;
  const parsed = schema.safeParse(document);
  const shapeIssues = parsed.error?.issues ?? [];
  const issues = [
    ...shapeIssues,
    ...(options.partial === true ? [] : missingAge(document)),
    ...findContradictions(parsed.data ?? acceptedPart(document, shapeIssues), options).map(
      (contradiction) => ({ code: 'custom' as const, ...contradiction }),
    ),
  ];
  if (parsed.success && issues.length === 0) return { ok: true, value: parsed.data as Anamnesis };
  return { ok: false, errors: fieldErrors(new z.ZodError(issues), document) };
}

/** How a request is parsed: in its language, with the foreign hosts that this deployment accepts. */
export function parseOptionsOf({
  request,
  config,
}: {
  request: { language: Language };
  config: { IMAGE_URL_HOSTS: readonly string[] };
}): ParseOptions<false> {
  return { language: request.language, imageUrlHosts: config.IMAGE_URL_HOSTS };
}

/**
 * A complete anamnesis in a JSON text.
 * @throws {Problem} `malformed_json`, `anamnesis_invalid` naming every wrong field.
 */
export function readAnamnesisText(json: string, options: ParseOptions<false>): Anamnesis {
  const input = parseStrictJsonText(json);
  if (!isObject(input)) {
    throw new Problem('malformed_json', { detail: 'The anamnesis must be a JSON object.' });
  }
  return accepted(parseAnamnesis(input, options));
}

/**
 * Answers that may be incomplete, as the AI routes take them.
 * @throws {Problem} `anamnesis_invalid` naming every wrong field.
 */
export function readPartialAnamnesis(input: unknown, options: ParseOptions<false>): PartialAnamnesis {
  return accepted(parseAnamnesis(input, { ...options, partial: true }));
}

function accepted<Value>(parsed: Parsed<Value>): Value {
  if (!parsed.ok) throw new Problem('anamnesis_invalid', { errors: parsed.errors });
  return parsed.value;
}

/** Checked on the input: a wrong age is not a missing one. */
function missingAge(document: unknown): z.core.$ZodIssue[] {
  const patient = isObject(document) ? document['patient'] : undefined;
  if (!isObject(patient) || 'ageYears' in patient || 'ageGroup' in patient) return [];
  return [
    {
      code: 'custom',
      path: ['patient', 'ageYears'],
      message: 'The age in years is required, or `ageGroup` instead.',
      params: { code: 'required' },
    },
  ];
}

/** Fields that count only where the first is absent. A wrong value is not an absent one, so both are set aside. */
const standIns = [
  ['/patient/sexAtBirth', '/patient/gender'],
  ['/patient/ageYears', '/patient/ageGroup'],
  ['/patient/ageMonths', '/patient/ageGroup'],
] as const;

/**
 * A refused document without its wrong values: a `PartialAnamnesis`, so that fields can be checked against each other
 * although a third one is wrong. A wrong list item becomes an empty object, so that the other indices stay.
 */
function acceptedPart(document: unknown, issues: readonly z.core.$ZodIssue[]): PartialAnamnesis {
  const refused = new Set(
    issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => jsonPointer([...issue.path, key]))
        : jsonPointer(issue.path),
    ),
  );
  for (const [field, standIn] of standIns) if (refused.has(field)) refused.add(standIn);
  const without = (value: unknown, path: PropertyKey[]): unknown => {
    if (Array.isArray(value)) {
      return value.map((item, index) => {
        const place = [...path, index];
        return refused.has(jsonPointer(place)) ? {} : without(item, place);
      });
    }
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, item]) => ({ key, item, place: [...path, key] }));
    const accepted = entries.filter(({ place }) => !refused.has(jsonPointer(place)));
    return Object.fromEntries(accepted.map(({ key, item, place }) => [key, without(item, place)]));
  };
  return isObject(document) ? (without(document, []) as PartialAnamnesis) : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
