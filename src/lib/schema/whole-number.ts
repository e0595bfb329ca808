import { z } from 'zod';

/** A whole number as a URL or a form has it: digits alone, without leading zeros. `Number` also takes '', ' 2', 0x1 and 1e1. */
const fromDigits = (text: unknown) =>
  typeof text === 'string' && /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : text;

/** A schema of integers for what arrives as text. */
export const wholeNumber = <Schema extends z.ZodType>(schema: Schema) => z.preprocess(fromDigits, schema);
