import { z } from 'zod';

/** Free text of at most `max` code points, normalised to NFC. */
export function text(max: number) {
  return z
    .string()
    .normalize('NFC')
    .max(max)
    .refine((value) => !hasForbiddenCharacter.test(value), {
      error: 'Must be well-formed Unicode without control characters; line breaks are \\n.',
      params: { code: 'invalid_format' },
    });
}

// PostgreSQL cannot store NUL or a lone surrogate in jsonb; the other controls garble reports.
const hasForbiddenCharacter = /(?!\n)[\p{Cc}\p{Cs}]/u;

/**
 * A multi-select: each value at most once, and `none`, where the enumeration has it, alone. An empty list means
 * that none of the values applies; leave out what was not asked.
 */
export function manyOf<Values extends z.ZodEnum>(values: Values) {
  const { length } = values.options;
  const description = [
    values.meta()?.description,
    ...(values.options.includes('none') ? ['`none` must be the only value.'] : []),
  ].join(' ');
  // Runs even if items are wrong, so that one reply names every error.
  const when = ({ value }: z.core.ParsePayload) => Array.isArray(value);
  return z
    .array(values)
    .max(length)
    .refine((items) => new Set(items).size === items.length, { error: 'Each value at most once.', when })
    .refine((items) => items.length < 2 || !items.some((item) => item === 'none'), {
      error: '`none` must be the only value.',
      when,
    })
    .meta({ uniqueItems: true, description });
}
