import { z } from 'zod';

export const Channel = z
  .enum(['mail', 'push'])
  .meta({ id: 'Channel', description: 'How a message reaches a person.' });
export type Channel = z.infer<typeof Channel>;
