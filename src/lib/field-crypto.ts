import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/**
 * Seals short secrets that must be read back, such as a reset token on its way into a mail: AES-256-GCM (NIST SP
 * 800-38D) with a random 96-bit nonce, as `v1.<key id>.<base64url of nonce, ciphertext and tag>`.
 *
 * The purpose names the use and the row and is authenticated with the text, so that a sealed value copied into another
 * row or field does not open there.
 */
export interface FieldCrypto {
  seal(text: string, purpose: string): string;
  /** @throws {FieldCryptoError} */
  open(sealed: string, purpose: string): string;
}

export type FieldCryptoFault =
  /** Not a sealed value. */
  | 'malformed'
  /** Sealed with a key that is neither the current nor the previous one. */
  | 'unknown_key'
  /** Altered, or sealed for another purpose. */
  | 'not_authentic';

export class FieldCryptoError extends Error {
  readonly code: FieldCryptoFault;

  constructor(code: FieldCryptoFault) {
    super(`sealed value: ${code}`);
    this.name = 'FieldCryptoError';
    this.code = code;
  }
}

const version = 'v1';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** Whether `text` is the canonical base64 of 32 bytes. */
export function isFieldKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === keyBytes && bytes.toString('base64') === text;
}

/**
 * @param keys base64 of 32 bytes each: `current` seals, both open. To rotate, make the current key the previous one, and
 *   remove that when no value sealed with it is left.
 * @throws {RangeError} for an invalid key.
 */
export function createFieldCrypto(keys: { current: string; previous?: string | undefined }): FieldCrypto {
  const current = readKey(keys.current);
  const known = new Map([current, ...(keys.previous === undefined ? [] : [readKey(keys.previous)])]);
  const [currentId, currentKey] = current;

  return {
    seal(text, purpose) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', currentKey, nonce, { authTagLength: tagBytes });
      cipher.setAAD(associatedData(currentId, purpose));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const body = Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]);
      return `${version}.${currentId}.${body.toString('base64url')}`;
    },
    open(sealed, purpose) {
      const [, keyId, encoded] = /^v1\.([0-9a-f]{16})\.([A-Za-z0-9_-]{38,})$/.exec(sealed) ?? [];
      if (keyId === undefined || encoded === undefined) throw new FieldCryptoError('malformed');
      const key = known.get(keyId);
      if (key === undefined) throw new FieldCryptoError('unknown_key');
      const body = Buffer.from(encoded, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(associatedData(keyId, purpose));
      decipher.setAuthTag(body.subarray(-tagBytes));
      try {
        const text = decipher.update(body.subarray(nonceBytes, -tagBytes));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        throw new FieldCryptoError('not_authentic');
      }
    },
  };
}

function readKey(text: string): [id: string, key: Buffer] {
  if (!isFieldKey(text)) throw new RangeError('A field encryption key is base64 of 32 bytes.');
  const key = Buffer.from(text, 'base64');
  // Identifies the key without revealing it: 64 bits of a hash that nothing else uses.
  const id = createHash('sha256').update('field key id\0').update(key).digest('hex').slice(0, 16);
  return [id, key];
}

/** Authenticates version and key id too, so that no part of a sealed value can be exchanged. */
function associatedData(keyId: string, purpose: string): Buffer {
  return Buffer.from(`${version}.${keyId}.${purpose}`, 'utf8');
}
