import { z } from 'zod';

/** Without control characters, and without those that change the direction of what follows. */
const printable = /^[^\p{Cc}\p{Co}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]*$/u;

/** What shows as nothing: spaces, joiners, fillers, an empty Braille cell. */
const blank = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** A name or title in one line, which shows something: trimmed and composed (NFC), 1 to `max` code points. */
export const shortText = (max: number) =>
  z
    .string()
    .max(1000)
    .transform((text) => text.trim().normalize('NFC'))
    .pipe(
      z
        .string()
        .min(1)
        // Not published as a pattern: many readers of the document know no Unicode properties.
        .refine((text) => printable.test(text), {
          error: 'Must not contain control characters.',
          params: { code: 'invalid_format' },
        })
        // A list would show no name, and not the number that stands for a missing one.
        .refine((text) => text === '' || !blank.test(text), {
          error: 'Must have a visible character.',
          params: { code: 'invalid_format' },
        })
        .refine((text) => Array.from(text).length <= max, { error: `Must have at most ${max} characters.` }),
    );
