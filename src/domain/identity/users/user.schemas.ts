import { domainToASCII } from 'node:url';
import { z } from 'zod';

/** The longest address that SMTP can deliver to (RFC 5321 with erratum 1690). */
const maximumEmailLength = 254;

/**
 * An email address in the one form that is stored and compared: white space around it trimmed, NFC, lower case,
 * an international domain in its ASCII form. Dots and `+tag` are left alone: they are the owner's business.
 * The labels of its domain are those of RFC 1123 §2.1: at most 63, no hyphen at either end, and the last one no number, as
 * in an IP address. Invisible characters (controls, zero-width, direction marks) are refused: they only make look-alikes.
 */
export const Email = z
  .string()
  .max(1024)
  .transform((value) => normaliseEmail(value))
  .pipe(
    z
      .string()
      .max(maximumEmailLength)
      .regex(
        /^[^\s@\p{Cc}\p{Cf}\p{Cs}\p{Co}<>()[\],;:"\\]+@(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-|\d+$)[a-z0-9-]{1,63}(?<!-))+$/u,
        {
          error: 'Must be an email address.',
        },
      ),
  )
  .meta({
    description: 'Email address; stored and compared in lower case.',
    examples: ['alice@example.org'],
  });

/**
 * The beginning of an address in the form that is stored. An ASCII domain stays as it is, because it may be half of one: of `1`,
 * as in `163.com`, domainToASCII makes the IP address 0.0.0.1.
 */
export function normaliseEmailStart(value: string): string {
  const start = smallLetters(value);
  const domain = start.slice(start.lastIndexOf('@') + 1);
  const isForeign = start.includes('@') && /[^ -~]/.test(domain);
  return isForeign && domainToASCII(domain) !== '' ? normaliseEmail(value) : start;
}

/** Composed once more, because a capital may have no composed form where its small letter has one (J̌, ǰ). */
const smallLetters = (value: string): string => value.trim().normalize('NFC').toLowerCase().normalize('NFC');

function normaliseEmail(value: string): string {
  const trimmed = smallLetters(value);
  const at = trimmed.lastIndexOf('@');
  if (at === -1) return trimmed;
  const domain = trimmed.slice(at + 1);
  return `${trimmed.slice(0, at)}@${notOnlyAHost.test(domain) ? '' : domainToASCII(domain)}`;
}

/** What domainToASCII, which reads a URL up to the end of its host, would drop or decode. */
const notOnlyAHost = /[/?#%\\:\s\p{Cc}]/u;

export const minimumPasswordLength = 8;
export const maximumPasswordLength = 128;

/**
 * A password that is being set. Lengths are code points after NFKC (NIST SP 800-63B): 8 Chinese characters are 8,
 * and no keyboard's way to compose an accent locks its owner out.
 */
export const NewPassword = z
  .string()
  .superRefine((value, context) => {
    const length = Array.from(value.normalize('NFKC')).length;
    const refuse = (code: string, message: string) =>
      context.addIssue({ code: 'custom', message, params: { code } });
    if (value.includes('\0')) refuse('invalid_value', 'Must not contain the NUL character.');
    else if (length < minimumPasswordLength) {
      refuse('password_too_short', `Must have at least ${minimumPasswordLength} characters.`);
    } else if (length > maximumPasswordLength) {
      refuse('password_too_long', `Must have at most ${maximumPasswordLength} characters.`);
    }
  })
  .meta({
    description: '8 to 128 characters (code points after NFKC); common passwords are refused.',
    examples: ['correct horse battery'],
  });

/** A password that is being presented: any text, so that a wrong one is wrong and not malformed. */
export const PresentedPassword = z
  .string()
  .max(1024)
  .meta({ description: 'The password as it was set.', examples: ['correct horse battery'] });
