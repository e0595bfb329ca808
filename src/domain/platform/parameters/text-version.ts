import { z } from 'zod';

/** The form of a version of a text: clients name it in a query. */
export const TextVersion = z
  .string()
  .min(1)
  .regex(/^[A-Za-z0-9._-]{1,32}$/);
