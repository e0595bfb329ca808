import { z } from 'zod';

/** A closed list of snake_case values, published as a component of its own under `id`. The values are keys for translation and never change their meaning. */
export function enumeration<const Value extends string>(
  id: string,
  description: string,
  values: readonly Value[],
) {
  return z.enum(values).meta({ id, description });
}
