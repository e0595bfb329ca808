import { readFile } from 'node:fs/promises';
import { Problem } from '../problem.ts';
import { assetUrl } from '../worker-url.ts';

/** How many of the commonest passwords are refused (ASVS 5.0 6.2.4 asks for 3,000). */
const refused = 10_000;

let common: Promise<ReadonlySet<string>> | undefined;

/** Ranked by how often they occur in public leaks: zxcvbn's list, read when a password is first set. */
async function readCommonPasswords(): Promise<ReadonlySet<string>> {
  const file = assetUrl('@zxcvbn-ts/language-common/src/passwords.json', import.meta.url);
  const ranked = JSON.parse(await readFile(file, 'utf8')) as string[];
  return new Set(ranked.slice(0, refused));
}

/**
 * Refuses one of the 10,000 commonest passwords, in any case. Only where a password is set: at login it would
 * tell a guesser what to skip and lock people out of old accounts.
 *
 * @param pointer of the field, such as `/new_password`.
 * @throws {Problem} `validation_error` with `password_too_common`
 */
export async function refuseCommonPassword(password: string, pointer: string): Promise<void> {
  const known = await (common ??= readCommonPasswords());
  if (!known.has(password.normalize('NFKC').toLowerCase())) return;
  throw new Problem('validation_error', {
    errors: [
      {
        pointer,
        code: 'password_too_common',
        message: 'This is one of the most used passwords. Please choose another.',
      },
    ],
  });
}
