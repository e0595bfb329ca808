import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  createOpaqueToken,
  hashOpaqueToken,
  openSuccessor,
  sealSuccessor,
  type TokenKind,
  tokenPrefix,
} from '../../../src/lib/auth/opaque-token.ts';
import { createThrottleKey } from '../../../src/lib/auth/throttle-key.ts';

const kinds = Object.keys(tokenPrefix) as TokenKind[];

test.each(kinds)('a %s token is 256 random bits behind its prefix, and only its hash is stored', (kind) => {
  const seen = new Set<string>();
  for (let count = 0; count < 1000; count += 1) {
    const { token, hash } = createOpaqueToken(kind);
    expect(token.startsWith(tokenPrefix[kind])).toBe(true);
    expect(Buffer.from(token.slice(4), 'base64url')).toHaveLength(32);
    expect(hash).toEqual(createHash('sha256').update(token).digest());
    expect(hashOpaqueToken(kind, token)).toEqual(hash);
    seen.add(token);
  }
  expect(seen.size).toBe(1000);
});

test('prefixes differ, and a token of one kind is nothing to another', () => {
  expect(new Set(Object.values(tokenPrefix)).size).toBe(kinds.length);
  for (const kind of kinds) {
    for (const other of kinds) {
      const { token } = createOpaqueToken(kind);
      expect(hashOpaqueToken(other, token) !== undefined).toBe(kind === other);
    }
  }
});

test('what cannot be a token is not even hashed', () => {
  const { token } = createOpaqueToken('refresh');
  for (const text of [
    '',
    'dgr_',
    token.slice(0, -1),
    `${token}A`,
    ` ${token}`,
    `${token}\n`,
    token.replace('_', '-'),
  ]) {
    expect(hashOpaqueToken('refresh', text)).toBeUndefined();
  }
});

test('a sealed successor opens with the rotated token alone', async () => {
  const rotated = createOpaqueToken('refresh').token;
  const successor = createOpaqueToken('refresh').token;
  const stranger = createOpaqueToken('refresh').token;
  const sealed = await sealSuccessor(rotated, successor);
  expect(await openSuccessor(rotated, sealed)).toBe(successor);
  await expect(openSuccessor(stranger, sealed)).rejects.toThrow();
  const parts = sealed.toString('latin1').split('.');
  for (const [index, part] of parts.entries()) {
    for (let position = 0; position < Buffer.from(part, 'base64url').length; position += 1) {
      const bytes = Buffer.from(part, 'base64url');
      bytes[position] = (bytes[position] as number) ^ 1;
      const altered = Buffer.from(parts.with(index, bytes.toString('base64url')).join('.'));
      await expect(openSuccessor(rotated, altered)).rejects.toThrow();
    }
  }
  await expect(openSuccessor(rotated, sealed.subarray(0, 20))).rejects.toThrow();
  expect(await sealSuccessor(rotated, successor)).not.toEqual(sealed);
  const decoded = parts.map((part) => Buffer.from(part, 'base64url').toString('latin1'));
  expect(decoded.join()).not.toContain(successor.slice(4, 12));
});

test('keys of counters differ wherever their parts differ, and cannot be made without the secret', () => {
  const key = createThrottleKey('s'.repeat(32));
  const parts: (string | undefined)[][] = [
    ['password', 'pair', 'a@example.org', '10.0.0.0/24'],
    ['password', 'pair', 'a@example.org10.0.0.0/24'],
    ['password', 'pair', 'a@example.org', undefined],
    ['password', 'pair', 'a@example.org', 'undefined'],
    ['password', 'pair', 'a@example.org', 'null'],
    ['password', 'pair', 'a@example.org'],
    ['password', 'email', 'a@example.org'],
    ['password', 'pair","email', 'a@example.org'],
    ['passwordpair', 'a@example.org', '10.0.0.0/24'],
  ];
  const keys = parts.map((each) => key(...each).toString('hex'));
  expect(new Set(keys).size).toBe(parts.length);
  for (const each of keys) expect(each).toHaveLength(64);
  const other = createThrottleKey('t'.repeat(32));
  expect(other('password', 'email', 'a@example.org')).not.toEqual(key('password', 'email', 'a@example.org'));
  expect(key('password', 'email', 'a@example.org')).toEqual(key('password', 'email', 'a@example.org'));
});
