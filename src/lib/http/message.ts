import { z } from 'zod';

/** The reply of what has nothing to tell but that it is done. */
export const Message = z
  .strictObject({ message: z.string().meta({ description: 'What was done, in English.' }) })
  .meta({ id: 'Message', description: 'That it is done, in words.' });
