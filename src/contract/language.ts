import { z } from 'zod';

/** The languages that every text for people exists in. */
export const Language = z
  .enum(['en', 'he', 'ar', 'es'])
  .meta({ id: 'Language', description: 'Language of the texts that the service returns.' });
export type Language = z.infer<typeof Language>;

/** The language of a request that names none, or none that we have. */
export const defaultLanguage: Language = 'en';
