import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import ranked from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' };
import { expect, onTestFinished, test, vi } from 'vitest';
import { refuseCommonPassword } from '../../../src/lib/auth/common-passwords.ts';

const isRefused = (password: string, words: string[] = []) =>
  refuseCommonPassword(password, '/new_password', words).then(
    () => false,
    () => true,
  );

test('each of the whole list is refused, in small and in capital letters', async () => {
  expect(ranked.length).toBeGreaterThan(10_000);
  for (const password of ranked) {
    expect(await isRefused(password), password).toBe(true);
    expect(await isRefused(password.toUpperCase()), password).toBe(true);
  }
});

test('also those that are rare among the common ones', async () => {
  for (const password of ['princess1', ranked.at(-1) as string, ranked[10_000] as string]) {
    expect(await isRefused(password), password).toBe(true);
  }
});

test('at least 3,000 of them are long enough to be chosen here at all (ASVS 6.2.4)', () => {
  const choosable = ranked.filter((password) => Array.from(password).length >= 8);
  console.log(`${ranked.length} common passwords, ${choosable.length} of them with 8 characters or more`);
  expect(choosable.length).toBeGreaterThan(3000);
});

test('what is not listed is accepted', async () => {
  for (const password of ['correct horse battery staple', 'password of mine', ' password', 'пароль-нет']) {
    expect(await isRefused(password), password).toBe(false);
  }
});

test('full-width letters do not hide a common one', async () => {
  expect(await isRefused('ｐａｓｓｗｏｒｄ')).toBe(true);
});

test('the refusal names the field and never repeats the password', async () => {
  await expect(refuseCommonPassword('iloveyou', '/new_password', [])).rejects.toMatchObject({
    code: 'validation_error',
    errors: [
      {
        pointer: '/new_password',
        code: 'password_too_common',
        message: expect.not.stringContaining('iloveyou'),
      },
    ],
  });
});

const words = ['dermagate', 'alice', 'North Clinic', 'jo', 'größe', '中文'];

test.each([
  ['the word itself', 'dermagate', 'Alice.Alice'],
  ['with a year, digits or signs', 'Dermagate2026!', '!!!alice1234???', '2026 alice'],
  ['several words', 'alice@dermagate', 'North-Clinic/Alice'],
  [
    'in another spelling',
    'northclinic',
    'NORTH_CLINIC_1',
    'd3rm@g4t3',
    'ａｌｉｃｅ２０２６',
    'gro\u0308ße-größe',
  ],
  ['with one of the commonest passwords', 'alice12345', 'password-alice', 'dermagate qwerty'],
])('a password that mostly consists of a context word is refused: %s', async (_, ...passwords) => {
  for (const password of passwords) {
    expect(await isRefused(password), password).toBe(false);
    expect(await isRefused(password, words), password).toBe(true);
  }
});

test('a word of the context may be part of a password that has enough beside it', async () => {
  for (const password of ['alice likes rain', 'dermagate-73fkq', 'malice toward none', 'joanna said so']) {
    expect(await isRefused(password, words), password).toBe(false);
  }
});

test('a password without such a word is not judged by its letters', async () => {
  for (const password of ['#'.repeat(12), '8 14 33 -- 21', '🐟🐠🐡🦈🐬🐳🐋🦭']) {
    expect(await isRefused(password, [...words, '', '-', '🐟']), password).toBe(false);
  }
});

test('a list that could not be read is read again for the next password', async () => {
  // The module as a starting process has it: without the list.
  const unread = '../../../src/lib/auth/common-passwords.ts?unread';
  const { refuseCommonPassword: refuse } = (await import(unread)) as {
    refuseCommonPassword: typeof refuseCommonPassword;
  };
  const read = vi.spyOn(fs, 'readFile').mockRejectedValueOnce(new Error('too many open files'));
  syncBuiltinESMExports();
  onTestFinished(() => {
    read.mockRestore();
    syncBuiltinESMExports();
  });
  await expect(refuse('iloveyou', '/new_password', [])).rejects.toThrow('too many open files');
  await expect(refuse('iloveyou', '/new_password', [])).rejects.toMatchObject({ code: 'validation_error' });
  await expect(refuse('correct horse battery staple', '/new_password', [])).resolves.toBe(undefined);
  expect(read).toHaveBeenCalledTimes(2);
});
