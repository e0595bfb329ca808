import { createHash, randomBytes } from 'node:crypto';

/** Prefixes let secret scanners recognise a leaked token. */
export const tokenPrefix = {
  refresh: 'dgr_',
  reset: 'dgp_',
  invitation: 'dgi_',
  verification: 'dgv_',
} as const;
export type TokenKind = keyof typeof tokenPrefix;

/** A new token, its prefix and 256 random bits in base64url, and its stored form, the SHA-256 hash. */
export function createOpaqueToken(kind: TokenKind): { token: string; hash: Buffer } {
  const token = tokenPrefix[kind] + randomBytes(32).toString('base64url');
  return { token, hash: sha256(token) };
}

/** The stored form of a presented token; undefined when it has not the form of this kind. */
export function hashOpaqueToken(kind: TokenKind, token: string): Buffer | undefined {
  const body = token.slice(tokenPrefix[kind].length);
  return token.startsWith(tokenPrefix[kind]) && /^[A-Za-z0-9_-]{43}$/.test(body) ? sha256(token) : undefined;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
