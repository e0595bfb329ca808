import { readFile } from 'node:fs/promises';
import { Problem } from '../../contract/problem.ts';
import { assetUrl } from '../app/worker-url.ts';

/** Letters and digits that a password must have besides its context words. */
const minRemainingLength = 5;
/** A shorter context word occurs in too many passwords by chance. */
const minWordLength = 3;

let common: Promise<ReadonlySet<string>> | undefined;

/**
 * The most frequent passwords of public leaks: zxcvbn's whole list, read when a password is first set (ASVS 5.0 6.2.4
 * requires 3,000).
 */
async function readCommonPasswords(): Promise<ReadonlySet<string>> {
  const file = assetUrl('@zxcvbn-ts/language-common/src/passwords.json', import.meta.url);
  const listed = JSON.parse(await readFile(file, 'utf8')) as string[];
  return new Set(listed);
}

/** The next password reads the list again. */
function forget(error: unknown): never {
  common = undefined;
  throw error;
}

/**
 * Refuses a common password in any letter case, and one that consists mostly of words that an attacker of this account
 * would try first (ASVS 5.0 6.2.11). Call it only where a password is set: at login it would show an attacker which
 * guesses to skip, and lock users out of old accounts.
 *
 * @param pointer JSON Pointer of the field, such as `/new_password`.
 * @param words context words: names of the service, the tenant and the user.
 * @throws {Problem} `validation_error` with `password_too_common`
 */
export async function refuseCommonPassword(
  password: string,
  pointer: string,
  words: readonly string[],
): Promise<void> {
  const known = await (common ??= readCommonPasswords().catch(forget));
  const text = password.normalize('NFKC').toLowerCase();
  if (known.has(text)) throw tooCommon(pointer, 'This is one of the most used passwords.');
  if ([text, readable(text)].some((reading) => mostlyConsistsOf(words, reading, known))) {
    throw tooCommon(pointer, 'This consists mostly of a name that others know.');
  }
}

function tooCommon(pointer: string, reason: string): Problem {
  const message = `${reason} Please choose another.`;
  return new Problem('validation_error', { errors: [{ pointer, code: 'password_too_common', message }] });
}

/** Whether the rest without the words is too short or itself a common password: `Alice-2026!`, `clinic_password`. */
function mostlyConsistsOf(words: readonly string[], text: string, known: ReadonlySet<string>): boolean {
  const whole = lettersAndDigits(text);
  const left = words
    .map((word) => lettersAndDigits(word.normalize('NFKC').toLowerCase()))
    .filter((word) => word.length >= minWordLength)
    .toSorted((a, b) => b.length - a.length)
    // A space, so that the text on both sides does not join into a new word.
    .reduce((rest, word) => rest.replaceAll(word, ' '), whole)
    .replaceAll(' ', '');
  return left !== whole && (left.length < minRemainingLength || known.has(left));
}

const lettersAndDigits = (text: string): string => text.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');

const lookAlikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** `d3rm@gat3` as `dermagate`. */
const readable = (text: string): string =>
  text.replaceAll(/[013457@$!]/g, (sign) => lookAlikes[sign] ?? sign);
