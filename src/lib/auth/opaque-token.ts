import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

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

/*
 * Seals the successor of a rotated refresh token, so that a replay within REFRESH_REPLAY_GRACE_SECONDS returns the same
 * successor. The key is derived from the rotated token, which the database stores only as a hash: the table alone opens
 * nothing. AES-256-GCM; layout: 12 bytes nonce, 16 bytes tag, ciphertext.
 */
const nonceLength = 12;
const tagLength = 16;

export function sealSuccessor(rotatedToken: string, successor: string): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', keyOf(rotatedToken), nonce);
  const ciphertext = Buffer.concat([cipher.update(successor, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** @throws when `sealed` was not sealed for this token, or was altered. */
export function openSuccessor(rotatedToken: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(rotatedToken), sealed.subarray(0, nonceLength), {
    authTagLength: tagLength,
  });
  decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
  return (
    decipher.update(sealed.subarray(nonceLength + tagLength), undefined, 'utf8') + decipher.final('utf8')
  );
}

function keyOf(token: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', token, '', 'dermagate refresh successor', 32));
}
