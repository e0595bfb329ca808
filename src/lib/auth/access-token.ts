import { createHash, createHmac, createSecretKey, hash, type KeyObject, randomUUID } from 'node:crypto';
import { type CryptoKey, errors, type JWTPayload, jwtVerify } from 'jose';
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
  sign(claims: AccessClaims, now: Date): string;
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
  const [kid, { secret }] = signing;
  const header = base64url({ alg: algorithm, typ: type, kid });
  const verified = new LRUCache<string, VerifiedToken>({ max: remembered });

  return {
    lifetimeSeconds: accessTokenSeconds,

    sign({ sub, sid, role, tenantId: tenant_id }, now) {
      const iat = Math.floor(now.getTime() / 1000);
      const times = { iat, nbf: iat, exp: iat + accessTokenSeconds };
      const jti = randomUUID();
      const payload = base64url({ sid, role, tenant_id, iss: issuer, aud: audience, sub, jti, ...times });
      return compactJws(`${header}.${payload}`, secret);
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
            return known.verifying;
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
 * A JWS in compact form (RFC 7515, section 7.1), signed by HS256. jose verifies; it does not sign, because it can only by a job
 * of WebCrypto in another thread, which takes 15 times the processor time.
 */
function compactJws(signed: string, secret: KeyObject): string {
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

const base64url = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');

interface Key {
  secret: KeyObject;
  /** Imported once: jose would import bytes again for every token. */
  verifying: CryptoKey;
}

/** The key id is a fingerprint of the key, so that instances with the same key agree on it without configuration. */
function createKey(text: string): [kid: string, key: Key] {
  const bytes = new TextEncoder().encode(text);
  const kid = createHash('sha256').update('kid:').update(bytes).digest('base64url').slice(0, 16);
  const secret = createSecretKey(bytes);
  const verifying = secret.toCryptoKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  return [kid, { secret, verifying }];
}

function isUuid(value: unknown): value is string {
  return (
    typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value)
  );
}
