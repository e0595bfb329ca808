import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFieldCrypto, type FieldCryptoFault, isFieldKey } from '../../src/lib/field-crypto.ts';

const newKey = () => randomBytes(32).toString('base64');
const current = newKey();
const crypto = createFieldCrypto({ current });

function refused(code: FieldCryptoFault) {
  return expect.objectContaining({ name: 'FieldCryptoError', code });
}

function fault(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('a sealed value', () => {
  test('opens to the same text, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, purpose) => {
        // Half of a surrogate pair has no UTF-8 form; everything else must survive.
        const whole = text.toWellFormed();
        expect(crypto.open(crypto.seal(whole, purpose.toWellFormed()), purpose.toWellFormed())).toBe(whole);
      }),
    );
  });

  test('differs each time and shows nothing of the text or the key', () => {
    const sealed = Array.from({ length: 50 }, () => crypto.seal('dgp_secret-token', 'mail'));
    expect(new Set(sealed).size).toBe(50);
    for (const value of sealed) {
      expect(value).toMatch(/^v1\.[0-9a-f]{16}\.[A-Za-z0-9_-]+$/);
      expect(Buffer.from(value.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('secret');
      expect(value).not.toContain(Buffer.from(current, 'base64').toString('hex').slice(0, 16));
    }
  });

  test('does not open for another purpose', () => {
    const sealed = crypto.seal('text', 'row 1');
    expect(fault(() => crypto.open(sealed, 'row 2'))).toEqual(refused('not_authentic'));
  });

  test('does not open when any one bit of it has changed', () => {
    const [version, id, body = ''] = crypto.seal('ab', 'mail').split('.');
    const bytes = Buffer.from(body, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const sealed = `${version}.${id}.${changed.toString('base64url')}`;
      expect(fault(() => crypto.open(sealed, 'mail'))).toEqual(refused('not_authentic'));
    }
  });

  test('cut short does not open, not even to a shorter text or a shorter tag', () => {
    const sealed = crypto.seal('a longer text than one block', 'mail');
    for (let length = sealed.length - 1; length > 0; length--) {
      const outcome = fault(() => crypto.open(sealed.slice(0, length), 'mail'));
      expect(outcome).toMatchObject({ name: 'FieldCryptoError' });
    }
  });

  test('anything else is refused as malformed', () => {
    for (const text of ['', 'text', 'v1..', 'v2.0011223344556677.AAAA', `${crypto.seal('a', 'b')}\n`, '{}']) {
      expect(fault(() => crypto.open(text, 'b'))).toEqual(refused('malformed'));
    }
  });
});

describe('keys', () => {
  test('after a rotation old values open with the previous key and new ones are sealed with the current', () => {
    const old = crypto.seal('text', 'mail');
    const next = newKey();
    const rotated = createFieldCrypto({ current: next, previous: current });
    expect(rotated.open(old, 'mail')).toBe('text');
    const fresh = rotated.seal('text', 'mail');
    expect(createFieldCrypto({ current: next }).open(fresh, 'mail')).toBe('text');
    expect(fault(() => crypto.open(fresh, 'mail'))).toEqual(refused('unknown_key'));
  });

  test('once the previous key is gone its values do not open', () => {
    const old = crypto.seal('text', 'mail');
    expect(fault(() => createFieldCrypto({ current: newKey() }).open(old, 'mail'))).toEqual(
      refused('unknown_key'),
    );
  });

  test('a value is never tried with a key other than the one it names', () => {
    const next = newKey();
    const both = createFieldCrypto({ current: next, previous: current });
    const [version, , body] = crypto.seal('text', 'mail').split('.');
    const [, nextId] = both.seal('text', 'mail').split('.');
    expect(fault(() => both.open(`${version}.${nextId}.${body}`, 'mail'))).toEqual(refused('not_authentic'));
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
