import { z } from 'zod';
import { Problem } from '../../../contract/problem.ts';
import { fieldErrors, jsonPointer } from '../../../lib/schema/field-errors.ts';
import type { JsonObject } from '../../../lib/json/json-object.ts';
import { OwnTexts, parameterSchemas, schemaOf } from '../../platform/parameters/parameter-schemas.ts';

const namePart = /^[a-z0-9_-]{1,32}$/;
/** Not one that begins with `_`: `__proto__` is no key. */
export const keyForm = /^[a-z0-9][a-z0-9_]{0,63}$/;
const maxKeys = 100;

/** Branches that clients may use for themselves besides what the service knows of them. */
const shared = new Set(['mobile', 'portal']);
const ownBranches = new Set(
  Object.keys(parameterSchemas)
    .map((name) => name.split('/')[0] ?? '')
    .filter((branch) => !shared.has(branch)),
);

/**
 * A name that may have parameters: one that the service knows, or a short one of a branch that only clients use. A misspelt
 * name of ours is refused, because nothing would ever read it.
 *
 * @throws {Problem} `parameters_not_found`
 */
export function checkName({ branch, sub_branch: subBranch }: { branch: string; sub_branch: string }): string {
  const name = `${branch}/${subBranch}`;
  if (schemaOf(name) !== undefined) return name;
  if (ownBranches.has(branch)) {
    const known = Object.keys(parameterSchemas).filter((each) => each.startsWith(`${branch}/`));
    const detail = `The service has ${known.join(', ')} in this branch, and nothing else.`;
    throw new Problem('parameters_not_found', { detail });
  }
  if (namePart.test(branch) && namePart.test(subBranch)) return name;
  const detail = 'Names of clients’ own are two parts of 1 to 32 small letters, digits, - and _.';
  throw new Problem('parameters_not_found', { detail });
}

/** What a tenant may set in a name, by key; undefined where anything may stand. */
export function valuesSchemaOf(name: string): z.ZodType<JsonObject> | undefined {
  const schema = schemaOf(name);
  if (schema !== undefined) return schema.partial().strict();
  return name.startsWith('resources/') ? z.record(z.string().regex(keyForm), OwnTexts) : undefined;
}

/** Not what JSON cannot say, such as the infinity that 1e400 is read as. */
export const JsonValue: z.ZodType = z.json();

/**
 * Own values of a name as they are stored: those of a name that the service knows in the form of its schema.
 * @throws {Problem} `validation_error`, with pointers into `/values`.
 */
export function checkValues(name: string, values: JsonObject): JsonObject {
  const keys = Object.keys(values);
  const wrong = keys.filter((key) => !keyForm.test(key));
  if (wrong.length > 0 || keys.length > maxKeys) {
    const message = `Keys are small letters, digits and _, at most ${maxKeys} of them.`;
    const at = wrong.length > 0 ? wrong.map((key) => ['values', key]) : [['values']];
    throw new Problem('validation_error', {
      errors: at.map((path) => ({ pointer: jsonPointer(path), code: 'invalid_format', message })),
    });
  }
  const schema = valuesSchemaOf(name) ?? z.record(z.string(), JsonValue);
  const input = { values };
  const parsed = z.object({ values: schema }).safeParse(input);
  if (!parsed.success) throw new Problem('validation_error', { errors: fieldErrors(parsed.error, input) });
  // Defaults of the schema are not the tenant's.
  return Object.fromEntries(keys.map((key) => [key, parsed.data.values[key]]));
}
