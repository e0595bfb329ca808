import { z } from 'zod';

/** The name of a pool that some physicians serve. `general` is not one: it is every physician's unless an admin says no. */
export const PrivatePool = z
  .string()
  .regex(/^(?!general$)[a-z0-9][a-z0-9_-]{0,63}$/)
  .meta({ description: 'Name of a private pool of physicians.', examples: ['hand-clinic'] });
