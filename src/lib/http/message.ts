import { z } from 'zod';

/** A reply without data: it confirms the operation. */
export const Message = z
  .strictObject({ message: z.string().meta({ description: 'The outcome, in English.' }) })
  .meta({ id: 'Message', description: 'A reply without data: it confirms the operation.' });
