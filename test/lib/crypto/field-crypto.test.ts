import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createFieldCrypto,
  type FieldCryptoFault,
  isFieldKey,
} from '../../../src/lib/crypto/field-crypto.ts';

const newKey = () => randomBytes(32).toString('base64');
const current = newKey();
const crypto = createFieldCrypto({ current });

function refused(code: FieldCryptoFault) {
  return expect.objectContaining({ name: 'FieldCryptoError', code });
}

const fault = (work: Promise<string>) => work.catch((error: unknown) => error);

describe('a sealed value', () => {
  test('opens to the same text, for any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (text, anyPurpose) => {
        // Half of a surrogate pair has no UTF-8 form; everything else must survive.
        const [whole, purpose] = [text.toWellFormed(), anyPurpose.toWellFormed()];
        expect(await crypto.open(await crypto.seal(whole, purpose), purpose)).toBe(whole);
      }),
    );
  });

  test('differs each time and shows nothing of the text or the key', async () => {
    const seals = Array.from({ length: 50 }, () => crypto.seal('dgp_secret-token', 'mail'));
    const sealed = await Promise.all(seals);
    expect(new Set(sealed).size).toBe(50);
    for (const value of sealed) {
      const parts = value.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
      const header = { alg: 'dir', enc: 'A256GCM', kid: expect.stringMatching(/^[0-9a-f]{16}$/) };
      expect(JSON.parse(parts[0] ?? '')).toEqual({ ...header, purpose: 'mail' });
      expect(parts.join()).not.toContain('secret');
      expect(parts.join()).not.toContain(Buffer.from(current, 'base64').toString('hex').slice(0, 16));
    }
  });

  test('does not open for another purpose', async () => {
    const sealed = await crypto.seal('text', 'row 1');
    expect(await fault(crypto.open(sealed, 'row 2'))).toEqual(refused('not_authentic'));
  });

  test('does not open when any one bit of it has changed', async () => {
    const parts = (await crypto.seal('ab', 'mail')).split('.');
    for (const [index, part] of parts.entries()) {
      const bytes = Buffer.from(part, 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const sealed = parts.with(index, changed.toString('base64url')).join('.');
        const outcome = await fault(crypto.open(sealed, 'mail'));
        // A changed header may be unreadable, or name another key.
        if (index === 0) expect(outcome).toMatchObject({ name: 'FieldCryptoError' });
        else expect(outcome).toEqual(refused('not_authentic'));
      }
    }
  });

  test('cut short does not open, not even to a shorter text or a shorter tag', async () => {
    const sealed = await crypto.seal('a longer text than one block', 'mail');
    for (let length = sealed.length - 1; length > 0; length--) {
      const outcome = await fault(crypto.open(sealed.slice(0, length), 'mail'));
      expect(outcome).toMatchObject({ name: 'FieldCryptoError' });
    }
  });

  test('anything else is refused as malformed', async () => {
    const sealed = await crypto.seal('a', 'b');
    const [header, , ...rest] = sealed.split('.');
    const withEncryptedKey = [header, 'AAAA', ...rest].join('.');
    for (const text of ['', 'text', '....', `${sealed}\n`, `${sealed}A`, withEncryptedKey, '{}']) {
      expect(await fault(crypto.open(text, 'b'))).toEqual(refused('malformed'));
    }
  });
});

describe('keys', () => {
  test('after a rotation old values open with the previous key and new ones are sealed with the current', async () => {
    const old = await crypto.seal('text', 'mail');
    const next = newKey();
    const rotated = createFieldCrypto({ current: next, previous: current });
    expect(await rotated.open(old, 'mail')).toBe('text');
    const fresh = await rotated.seal('text', 'mail');
    expect(await createFieldCrypto({ current: next }).open(fresh, 'mail')).toBe('text');
    expect(await fault(crypto.open(fresh, 'mail'))).toEqual(refused('unknown_key'));
  });

  test('once the previous key is gone its values do not open', async () => {
    const old = await crypto.seal('text', 'mail');
    expect(await fault(createFieldCrypto({ current: newKey() }).open(old, 'mail'))).toEqual(
      refused('unknown_key'),
    );
  });

  test('a value is never tried with a key other than the one it names', async () => {
    const next = newKey();
    const both = createFieldCrypto({ current: next, previous: current });
    const [, ...sealed] = (await crypto.seal('text', 'mail')).split('.');
    const [nextHeader] = (await both.seal('text', 'mail')).split('.');
    const renamed = [nextHeader, ...sealed].join('.');
    expect(await fault(both.open(renamed, 'mail'))).toEqual(refused('not_authentic'));
  });

  test('only canonical base64 of 32 bytes is a key', () => {
    expect(isFieldKey(current)).toBe(true);
    const wrong = ['', 'short', randomBytes(31).toString('base64'), randomBytes(33).toString('base64')];
    for (const text of [...wrong, `${current} `, current.replace('=', ''), randomBytes(32).toString('hex')]) {
      expect(isFieldKey(text)).toBe(false);
      expect(() => createFieldCrypto({ current: text })).toThrow(RangeError);
      expect(() => createFieldCrypto({ current, previous: text })).toThrow(RangeError);
    }
  });
});
