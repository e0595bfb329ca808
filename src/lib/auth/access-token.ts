import { createHash, hash, randomUUID, subtle } from 'node:crypto';
import { type CryptoKey, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Role } from '../../contract/role.ts';
import { Problem } from '../../contract/problem.ts';

/** Lifetime of an access token in seconds. */
export const accessTokenSeconds = 30 * 60;

const issuer = 'dermagate';
const audience = 'dermagate-api';
const type = 'at+jwt'; // RFC 9068: an access token is never taken for another kind of JWT
const algorithm = 'HS256';
/** Verified tokens that a process remembers, at most: about 300 bytes each. */
const remembered = 10_000;

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
   * Validates signature, algorithm, type, key id, issuer, audience and age. A token that was found valid is remembered as
   * long as it lives; a refusal never is.
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
  const verified = new LRUCache<string, VerifiedToken>({ max: remembered });

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
        .sign(await key());
    },

    async verify(token, now) {
      // Not the token itself: a dump of the memory must not contain tokens to use.
      const id = hash('sha256', token, 'base64url');
      const known = verified.get(id);
      if (known !== undefined && isWithin(known, now)) return known;
      try {
        const { payload } = await jwtVerify(
          token,
          (header) => {
            // An unknown or absent key id never falls back to another key.
            const known = header.kid === undefined ? undefined : verifying.get(header.kid);
            if (known === undefined) throw new errors.JWKSNoMatchingKey();
            return known();
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
        verified.set(id, { sub, sid, ...lifetimeOf(payload) });
        return { sub, sid };
      } catch (error) {
        verified.delete(id);
        if (!(error instanceof errors.JOSEError)) throw error;
        const code = error instanceof errors.JWTExpired ? 'token_expired' : 'token_invalid';
        throw new Problem(code, { cause: error });
      }
    },
  };
}

interface VerifiedToken {
  sub: string;
  sid: string;
  /** Seconds since 1970. */
  from: number;
  until: number;
}

/** When a verified token needs no tolerance of clocks: outside of it is verified again, by the one place that knows that. */
function lifetimeOf({ iat = 0, nbf = 0, exp = 0 }: JWTPayload): Pick<VerifiedToken, 'from' | 'until'> {
  return { from: Math.max(iat, nbf), until: Math.min(exp, iat + accessTokenSeconds) };
}

function isWithin({ from, until }: VerifiedToken, now: Date): boolean {
  const second = Math.floor(now.getTime() / 1000);
  return from <= second && second < until;
}

/**
 * The key id is a fingerprint of the key, so that instances with the same key agree on it without configuration. The key is
 * imported once: jose would import bytes again for every token.
 */
function createKey(secret: string): [kid: string, key: () => Promise<CryptoKey>] {
  const bytes = new TextEncoder().encode(secret);
  const kid = createHash('sha256').update('kid:').update(bytes).digest('base64url').slice(0, 16);
  let imported: Promise<CryptoKey> | undefined;
  const importKey = () =>
    subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  return [kid, () => (imported ??= importKey())];
}

function isUuid(value: unknown): value is string {
  return (
    typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value)
  );
}
