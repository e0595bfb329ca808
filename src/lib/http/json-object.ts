import { z } from 'zod';

/**
 * Any JSON object, as it was sent: for bodies that the domain checks by itself, such as an anamnesis (422 and not 400).
 * Not `z.record`, which leaves out a member named `__proto__`, so that the domain would never refuse it.
 */
export const JsonObject = z.unknown().transform((value, { issues }): JsonObject => {
  if (isObject(value)) return value;
  issues.push({ code: 'invalid_type', expected: 'record', input: value });
  return z.NEVER;
});
export type JsonObject = Record<string, unknown>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
