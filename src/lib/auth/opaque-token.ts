import { createHash, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';

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
 * nothing. The bytes are the ASCII text of a compact JWE.
 */
const algorithms = { alg: 'dir', enc: 'A256GCM' } as const;

export async function sealSuccessor(rotatedToken: string, successor: string): Promise<Buffer> {
  const encryption = new CompactEncrypt(Buffer.from(successor, 'utf8')).setProtectedHeader(algorithms);
  return Buffer.from(await encryption.encrypt(keyOf(rotatedToken)), 'latin1');
}

/** @throws {JOSEError} when `sealed` was not sealed for this token, or was altered. */
export async function openSuccessor(rotatedToken: string, sealed: Buffer): Promise<string> {
  const { plaintext } = await compactDecrypt(sealed.toString('latin1'), keyOf(rotatedToken), {
    keyManagementAlgorithms: [algorithms.alg],
    contentEncryptionAlgorithms: [algorithms.enc],
  });
  return Buffer.from(plaintext).toString('utf8');
}

function keyOf(token: string): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', token, '', 'dermagate refresh successor', 32)));
}
