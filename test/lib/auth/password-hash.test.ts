import bcrypt from 'bcryptjs';
import { describe, expect, test, vi } from 'vitest';
import { hashPassword, verifyPassword } from '../../../src/lib/auth/password-hash.ts';

const pepper = 'p'.repeat(32);
const verify = (password: string, hash: string | undefined, cost = 4, withPepper = pepper) =>
  verifyPassword(password, hash, withPepper, cost);

test('a hash is v2$ and bcrypt, salted anew each time', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => hashPassword('secret words', pepper, 4)));
  expect(first).toMatch(/^v2\$\$2b\$04\$[./A-Za-z0-9]{53}$/);
  expect(first).not.toBe(second);
  expect(await verify('secret words', first)).toEqual({ matches: true, outdated: false });
  expect(await verify('Secret words', first)).toEqual({ matches: false, outdated: false });
});

test('the pepper is part of it', async () => {
  const hash = await hashPassword('secret words', pepper, 4);
  expect(await verify('secret words', hash, 4, 'q'.repeat(32))).toMatchObject({ matches: false });
});

test('every byte of a long password counts, and NUL ends none', async () => {
  const long = 'x'.repeat(127);
  const hash = await hashPassword(`${long}a`, pepper, 4);
  expect(await verify(`${long}b`, hash)).toMatchObject({ matches: false });
  const withNul = await hashPassword('abc\0def', pepper, 4);
  expect(await verify('abc\0xyz', withNul)).toMatchObject({ matches: false });
});

test('compositions of one text are one password, cases are not', async () => {
  const hash = await hashPassword('Zoë ﬁsch', pepper, 4);
  for (const same of ['Zoe\u0308 fisch', 'Ｚoë ﬁsch'])
    expect(await verify(same, hash)).toMatchObject({ matches: true });
  expect(await verify('zoë fisch', hash)).toMatchObject({ matches: false });
});

test.each(['$2a$', '$2b$', '$2y$'])('a plain %s hash matches and is outdated', async (prefix) => {
  const hash = (await bcrypt.hash('old words', 4)).replace('$2b$', prefix);
  expect(await verify('old words', hash)).toEqual({ matches: true, outdated: true });
  expect(await verify('other words', hash)).toEqual({ matches: false, outdated: false });
});

test('a plain hash is not renewed from a password whose end bcrypt does not read: it may be mistyped or missing', async () => {
  const first72 = 'é'.repeat(36);
  const hash = await bcrypt.hash(`${first72}the end`, 4);
  for (const presented of ['the end', 'the emd', ''].map((end) => first72 + end))
    expect(await verify(presented, hash)).toEqual({ matches: true, outdated: false });
  const all71 = `${'é'.repeat(35)}e`;
  expect(await verify(all71, await bcrypt.hash(all71, 4))).toEqual({ matches: true, outdated: true });
});

test('a lower cost is outdated, a higher one is not', async () => {
  const hash = await hashPassword('secret words', pepper, 5);
  expect(await verify('secret words', hash, 6)).toEqual({ matches: true, outdated: true });
  expect(await verify('secret words', hash, 5)).toEqual({ matches: true, outdated: false });
  expect(await verify('secret words', hash, 4)).toEqual({ matches: true, outdated: false });
});

const ownHash = await hashPassword('secret words', pepper, 7);
const cheaperHash = await hashPassword('secret words', pepper, 4);
const earlierHash = await bcrypt.hash('old words', 5);

describe('a wrong password costs 2^cost rounds, for any stored hash', () => {
  /** Rounds that bcryptjs was asked for. */
  async function roundsOf(hash: string | undefined, cost: number): Promise<number> {
    const compare = vi.spyOn(bcrypt, 'compare');
    expect(await verify('wrong words', hash, cost)).toMatchObject({ matches: false });
    const rounds = compare.mock.calls.map(([, presented]) => 2 ** Number(presented.split('$')[2]));
    compare.mockRestore();
    return rounds.reduce((sum, each) => sum + each, 0);
  }

  test.each([
    ['no account', undefined],
    ['an account without a password', '!'],
    ['an empty hash', ''],
    ['a hash of another kind', '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA'],
    ['a truncated hash', '$2b$04$abc'],
    ['a cost beyond bcrypt', `$2b$32$${'.'.repeat(53)}`],
    ['our own hash', ownHash],
    ['our own hash of a lower cost', cheaperHash],
    ['an earlier system’s hash', earlierHash],
  ])('%s', async (_what, hash) => {
    expect(await roundsOf(hash, 7)).toBe(2 ** 7);
  });
});

test('nothing matches the decoy', async () => {
  for (const password of ['', 'x', '.'.repeat(53), 'password']) {
    expect(await verify(password, undefined)).toEqual({ matches: false, outdated: false });
  }
});
