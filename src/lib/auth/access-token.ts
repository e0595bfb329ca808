import { createHash, randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Role } from '../../contract/role.ts';
import { Problem } from '../../contract/problem.ts';

/** Lifetime of an access token in seconds. */
export const accessTokenSeconds = 30 * 60;

const issuer = 'dermagate';
const audience = 'dermagate-api';
const type = 'at+jwt'; // RFC 9068: an access token is never taken for another kind of JWT
const algorithm = 'HS256';

export interface AccessClaims {
  /** The user's UUID. */
  sub: string;
  /** The session's UUID. */
  sid: string;
  role: Role;
  tenantId: number;
}

export interface AccessTokens {
  lifetimeSeconds: number;
  sign(claims: AccessClaims, now: Date): Promise<string>;
  /**
   * Validates signature, algorithm, type, key id, issuer, audience and age.
   * @returns user and session of the token; their permissions come from the database, not from the token.
   * @throws {Problem} `token_expired` or `token_invalid`
   */
  verify(token: string, now: Date): Promise<{ sub: string; sid: string }>;
}

interface Keys {
  /** Signs and verifies. */
  current: string;
  /** The key before the rotation: verifies only, so that no session ends. */
  previous?: string | undefined;
}

export function createAccessTokens(keys: Keys): AccessTokens {
  const signing = createKey(keys.current);
  const verifying = new Map([signing, ...(keys.previous === undefined ? [] : [createKey(keys.previous)])]);
  const [kid, key] = signing;

  return {
    lifetimeSeconds: accessTokenSeconds,

    async sign({ sub, sid, role, tenantId }, now) {
      const issuedAt = Math.floor(now.getTime() / 1000);
      return await new SignJWT({ sid, role, tenant_id: tenantId })
        .setProtectedHeader({ alg: algorithm, typ: type, kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(sub)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setNotBefore(issuedAt)
        .setExpirationTime(issuedAt + accessTokenSeconds)
        .sign(key);
    },

    async verify(token, now) {
      try {
        const { payload } = await jwtVerify(
          token,
          (header) => {
            // An unknown or absent key id never falls back to another key.
            const known = header.kid === undefined ? undefined : verifying.get(header.kid);
            if (known === undefined) throw new errors.JWKSNoMatchingKey();
            return known;
          },
          {
            algorithms: [algorithm],
            typ: type,
            issuer,
            audience,
            requiredClaims: ['sub', 'sid', 'jti', 'iat', 'nbf', 'exp', 'role', 'tenant_id'],
            maxTokenAge: accessTokenSeconds,
            clockTolerance: 5,
            currentDate: now,
          },
        );
        const { sub, sid } = payload;
        if (!isUuid(sub) || !isUuid(sid)) throw new errors.JWTInvalid('sub and sid must be UUIDs');
        return { sub, sid };
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
        const code = error instanceof errors.JWTExpired ? 'token_expired' : 'token_invalid';
        throw new Problem(code, { cause: error });
      }
    },
  };
}

/** The key id is a fingerprint of the key, so that instances with the same key agree on it without configuration. */
function createKey(secret: string): [kid: string, key: Uint8Array] {
  const bytes = new TextEncoder().encode(secret);
  return [createHash('sha256').update('kid:').update(bytes).digest('base64url').slice(0, 16), bytes];
}

function isUuid(value: unknown): value is string {
  return (
    typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value)
  );
}
