import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Email, NewPassword } from '../../../../src/domain/identity/users/user.schemas.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const accepted = (text: string) => {
  const { success, data } = Email.safeParse(text);
  return success ? data : undefined;
};

/** Texts that look like addresses in every script there is. */
const address = fc
  .tuple(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
    fc.oneof(fc.domain(), fc.string({ unit: 'binary', minLength: 1, maxLength: 8 })),
  )
  .map(([local, domain]) => `${local}@${domain}`);

test('an accepted address is in its final form: reading it again changes nothing', () => {
  fc.assert(
    fc.property(address, (text) => {
      const email = accepted(text);
      if (email !== undefined) expect(accepted(email)).toBe(email);
    }),
    { numRuns: propertyRuns(4000) },
  );
});

test('case, composition and white space around it never make a second account', () => {
  const letters = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(letters, (local) => {
      const email = accepted(`${local}@example.org`);
      if (email === undefined) return;
      for (const same of [
        email.normalize('NFD'),
        ` ${email}\t`,
        email.replace('example.org', 'Example.ORG'),
      ]) {
        expect(accepted(same)).toBe(email);
      }
      // Not every script's capitals come back to what they were (ß, final sigma, ı); where they do, they are one.
      const capitals = email.toUpperCase();
      if (capitals.toLowerCase() === email) expect(accepted(capitals)).toBe(email);
    }),
    { numRuns: propertyRuns(4000) },
  );
});

test('labels of a domain neither begin nor end with a hyphen, and have at most 63 characters', () => {
  for (const domain of [
    '-example.org',
    'example-.org',
    'mail.-example.org',
    'mail.example-.org',
    'example.-org',
    'example.org-',
    '-.org',
    'example.-',
    `${'a'.repeat(64)}.org`,
    'xn--bcher-kva-.example',
  ]) {
    expect(accepted(`alice@${domain}`), domain).toBeUndefined();
  }
  for (const domain of [
    'my-clinic.example.org',
    'a--b.org',
    'b\u00fccher.example',
    'xn--bcher-kva.example',
    `${'a'.repeat(63)}.org`,
    '1-2.3-4.org',
  ]) {
    expect(accepted(`alice@${domain}`), domain).toBeDefined();
  }
});

test('a domain is a name: no part of a URL, no escape, and no address of a machine', () => {
  for (const domain of [
    'example.org/x',
    'example.org?subject=1',
    'example.org#x',
    'example.org\\x',
    'ex%61mple.org',
    'example.org:25',
    'exa\nmple.org',
    'exa\tmple.org',
    'exa mple.org',
    'exa\u0000mple.org',
    '127.1',
    '127.0.0.1',
    '2130706433',
    '0x7f.0.0.1',
    '1.2.3',
    '[::1]',
  ]) {
    expect(accepted(`alice@${domain}`), domain).toBeUndefined();
  }
  for (const domain of ['1.example.org', '127.0.0.1.example.org', '3com.example', 'example.1a']) {
    expect(accepted(`alice@${domain}`), domain).toBe(`alice@${domain}`);
  }
});

test('an accepted address is what the database accepts: small letters, at most 254, nothing invisible', () => {
  fc.assert(
    fc.property(fc.oneof(address, fc.emailAddress()), (text) => {
      const email = accepted(text);
      if (email === undefined) return;
      expect(email).toBe(email.toLowerCase());
      expect(email.length).toBeLessThanOrEqual(254);
      expect(email).not.toMatch(/[\s\p{Cc}\p{Cf}\p{Cs}\p{Co}]/u);
      expect(email).toMatch(/^[^@]+@[a-z0-9.-]+$/);
    }),
    { numRuns: propertyRuns(4000) },
  );
});

test('ordinary addresses are accepted as they are', () => {
  fc.assert(
    fc.property(fc.emailAddress({ size: 'small' }), (text) => {
      expect(accepted(text)).toBe(text.toLowerCase());
    }),
  );
});

test('no text makes reading an address or a password slow', () => {
  const pieces = ['a', '@', '.', 'a.', '-', ' ', '\u0301', '\ufdfa', 'ﬃ', '\u{1F600}'];
  const timeOf = (length: number) => {
    const started = performance.now();
    for (const text of pieces.map((piece) => piece.repeat(length))) {
      accepted(`x@${text}`);
      accepted(text);
      NewPassword.safeParse(text);
    }
    return performance.now() - started;
  };
  // The longest that a body may have, and texts of a sixteenth: quadratic work would take 256 times as long.
  const ratios = Array.from({ length: 7 }, () => timeOf(16_000) / timeOf(1000));
  expect(Math.min(...ratios)).toBeLessThan(64);
});

test('a password is counted in code points after NFKC and comes back as it was typed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const length = Array.from(text.normalize('NFKC')).length;
      const { success, data } = NewPassword.safeParse(text);
      expect(success).toBe(length >= 8 && length <= 128 && !text.includes('\0'));
      if (success) expect(data).toBe(text);
    }),
    { numRuns: propertyRuns(2000) },
  );
});
