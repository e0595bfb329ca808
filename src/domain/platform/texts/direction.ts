import { z } from 'zod';
import type { Language } from '../../../contract/language.ts';
import { isRightToLeft } from './messages.ts';

export const Direction = z
  .enum(['ltr', 'rtl'])
  .meta({ id: 'TextDirection', description: 'In which direction the language is written.' });
export type Direction = z.infer<typeof Direction>;

export const directionOf = (language: Language): Direction => (isRightToLeft(language) ? 'rtl' : 'ltr');
