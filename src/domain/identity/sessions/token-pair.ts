import { z } from 'zod';
import type { Role } from '../../../contract/role.ts';
import type { AccessTokens } from '../../../lib/auth/access-token.ts';

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
    description: 'The tokens of a session; store and replace them together.',
  });
export type TokenPair = z.infer<typeof TokenPair>;

/** The session that tokens belong to. */
export interface TokenSession {
  sessionUuid: string;
  userUuid: string;
  role: Role;
  tenantId: number;
  userId: number;
}

/** The token reply of the contract (RFC 6749 §5.1) for a session that has just been opened or renewed. */
export function issueTokenPair(
  { accessTokens }: { accessTokens: AccessTokens },
  session: Omit<TokenSession, 'userId'>,
  refreshToken: string,
  now: Date,
): TokenPair {
  const { userUuid: sub, sessionUuid: sid, role, tenantId } = session;
  return {
    access_token: accessTokens.sign({ sub, sid, role, tenantId }, now),
    refresh_token: refreshToken,
    token_type: 'bearer',
    expires_in: accessTokens.lifetimeSeconds,
  };
}
