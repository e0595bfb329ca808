import { z } from 'zod';

export const TokenPair = z
  .strictObject({
    access_token: z.string().meta({ description: 'JWT, for `Authorization: Bearer`' }),
    refresh_token: z
      .string()
      .meta({ description: 'Opaque, single use; exchange it at POST /api/auth/refresh' }),
    token_type: z.literal('bearer'),
    expires_in: z.int().meta({ description: 'Seconds until the access token expires' }),
  })
  .meta({ id: 'TokenPair' });
export type TokenPair = z.infer<typeof TokenPair>;
