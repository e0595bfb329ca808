import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, errors } from 'jose';

/**
 * Seals short secrets that must be read back, such as a reset token on its way into a mail: compact JWE (RFC 7516) with
 * `dir` and `A256GCM`. The header's `kid` names the key.
 *
 * The purpose names the use and the row. It is in the protected header, which is authenticated with the text, so that a
 * sealed value copied into another row or field does not open there. It is not secret.
 */
export interface FieldCrypto {
  seal(text: string, purpose: string): Promise<string>;
  /** Rejects with `FieldCryptoError`. */
  open(sealed: string, purpose: string): Promise<string>;
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

const algorithms = { alg: 'dir', enc: 'A256GCM' } as const;
const keyBytes = 32;
/** Header, no encrypted key, 96-bit nonce, ciphertext, 128-bit tag. jose ignores white space and accepts longer tags. */
const compactForm = /^[\w-]+\.\.[\w-]{16}\.[\w-]*\.[\w-]{22}$/;

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
  const keysById = new Map([current, ...(keys.previous === undefined ? [] : [readKey(keys.previous)])]);
  const [kid, key] = current;

  function keyNamedBy({ kid: id }: { kid?: string }): KeyObject {
    const known = id === undefined ? undefined : keysById.get(id);
    if (known === undefined) throw new FieldCryptoError('unknown_key');
    return known;
  }

  return {
    async seal(text, purpose) {
      const encryption = new CompactEncrypt(Buffer.from(text, 'utf8'));
      return await encryption.setProtectedHeader({ ...algorithms, kid, purpose }).encrypt(key);
    },
    async open(sealed, purpose) {
      if (!compactForm.test(sealed)) throw new FieldCryptoError('malformed');
      const { plaintext, protectedHeader } = await compactDecrypt(sealed, keyNamedBy, {
        keyManagementAlgorithms: [algorithms.alg],
        contentEncryptionAlgorithms: [algorithms.enc],
      }).catch((error: unknown) => {
        if (error instanceof errors.JWEDecryptionFailed) throw new FieldCryptoError('not_authentic');
        if (error instanceof errors.JOSEError) throw new FieldCryptoError('malformed');
        throw error;
      });
      if (protectedHeader['purpose'] !== purpose) throw new FieldCryptoError('not_authentic');
      return Buffer.from(plaintext).toString('utf8');
    },
  };
}

function readKey(text: string): [id: string, key: KeyObject] {
  if (!isFieldKey(text)) throw new RangeError('A field encryption key is base64 of 32 bytes.');
  const key = Buffer.from(text, 'base64');
  // Identifies the key without revealing it: 64 bits of a hash that nothing else uses.
  const id = createHash('sha256').update('field key id\0').update(key).digest('hex').slice(0, 16);
  return [id, createSecretKey(key)];
}
