import type { z } from 'zod';

/**
 * `schema` with `fields`, which it declares as optional, required unless `key` is present. The check runs even when the
 * schema refuses other fields, so that one reply names every wrong field.
 */
export function requiredUnless<S extends z.ZodObject>(
  key: keyof z.output<S> & string,
  fields: readonly (keyof z.output<S> & string)[],
  schema: S,
): S {
  let checked = schema;
  for (const field of fields) {
    checked = checked.refine((value) => key in value || field in value, {
      path: [field],
      error: 'This field is required.',
      params: { code: 'required' },
      when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
    });
  }
  return checked;
}
