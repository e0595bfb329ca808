import { readFile } from 'node:fs/promises';
import { Problem } from '../../contract/problem.ts';
import { assetUrl } from '../worker-url.ts';

/** What is left of a password without its context words must have as many letters and digits. */
const minRemainingLength = 5;
/** A shorter word is in too many passwords by chance. */
const minWordLength = 3;

let common: Promise<ReadonlySet<string>> | undefined;

/**
 * Those that occur most often in public leaks: the whole of zxcvbn's list, read when a password is first set (ASVS 5.0
 * 6.2.4 asks for 3,000).
 */
async function readCommonPasswords(): Promise<ReadonlySet<string>> {
  const file = assetUrl('@zxcvbn-ts/language-common/src/passwords.json', import.meta.url);
  const listed = JSON.parse(await readFile(file, 'utf8')) as string[];
  return new Set(listed);
}

/**
 * Refuses a password of the list of common ones, in any case, and one that is little more than words that a guesser of
 * this very account would try first (ASVS 5.0 6.2.11). Only where a password is set: at login it would tell a guesser
 * what to skip and lock people out of old accounts.
 *
 * @param pointer of the field, such as `/new_password`.
 * @param words of the context: names of the service, of the tenant, of the user.
 * @throws {Problem} `validation_error` with `password_too_common`
 */
export async function refuseCommonPassword(
  password: string,
  pointer: string,
  words: readonly string[],
): Promise<void> {
  const known = await (common ??= readCommonPasswords());
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

/** Without the words too little is left, or again one of the commonest: `Alice-2026!`, `clinic_password`. */
function mostlyConsistsOf(words: readonly string[], text: string, known: ReadonlySet<string>): boolean {
  const whole = lettersAndDigits(text);
  const left = words
    .map((word) => lettersAndDigits(word.normalize('NFKC').toLowerCase()))
    .filter((word) => word.length >= minWordLength)
    .toSorted((a, b) => b.length - a.length)
    // A gap, so that what stood around a word does not make a new one.
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

/** `d3rm@gat3` as it is read. */
const readable = (text: string): string =>
  text.replaceAll(/[013457@$!]/g, (sign) => lookAlikes[sign] ?? sign);
