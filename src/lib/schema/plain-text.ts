import { z } from 'zod';

/**
 * Text that a person has written: trimmed, composed (NFC), without control characters.
 * @param max in code points, after composition.
 * @param lines whether it may have line breaks.
 */
export function plainText(max: number, { min = 0, lines = false }: { min?: 0 | 1; lines?: boolean } = {}) {
  return z
    .string()
    .max(4 * max)
    .transform((text) => text.trim().normalize('NFC'))
    .pipe(
      z
        .string()
        .min(min)
        .regex(lines ? /^(?:\n|[^\p{Cc}])*$/u : /^[^\p{Cc}]*$/u, {
          error: 'Must not contain control characters.',
        })
        .refine((text) => Array.from(text).length <= max, {
          error: `Must have at most ${max} characters.`,
          params: { code: 'too_big' },
        }),
    )
    .meta({ description: `At most ${max} characters.` });
}
