import type { z } from 'zod';

/**
 * Requires `fields`, which `schema` declares as optional, unless `key` is present. Speaks together with the
 * schema's own refusals, so that one answer names every wrong field.
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
