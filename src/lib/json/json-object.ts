import { z } from 'zod';

/**
 * Any JSON object, unchanged; for bodies that the domain validates itself, such as an anamnesis (422 instead of 400). Not
 * `z.record`, which drops a member named `__proto__` before the domain can refuse it.
 */
export const JsonObject = z.unknown().transform((value, { issues }): JsonObject => {
  if (isJsonObject(value)) return value;
  issues.push({ code: 'invalid_type', expected: 'record', input: value });
  return z.NEVER;
});
export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
