import { z } from 'zod';

export const TokenPair = z
  .strictObject({
    access_token: z
      .string()
      .meta({ description: 'JWT, for `Authorization: Bearer`; valid for `expires_in` seconds.' }),
    refresh_token: z.string().meta({
      description: 'Opaque, works once and is valid for 30 days; `POST /api/auth/refresh` exchanges it.',
    }),
    token_type: z.literal('bearer').meta({ description: 'Always `bearer`.' }),
    expires_in: z.int().meta({ minimum: 0, description: 'Seconds until the access token expires.' }),
  })
  .meta({
    id: 'TokenPair',
    description: 'What keeps a session; store both together, replace both together.',
  });
export type TokenPair = z.infer<typeof TokenPair>;
