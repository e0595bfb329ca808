import { z } from 'zod';

/** A version of an app, such as `2.14.0`. */
export const AppVersion = z.string().regex(/^\d{1,5}(?:\.\d{1,5}){0,3}$/);

export const Platform = z
  .enum(['ios', 'android', 'web'])
  .meta({ id: 'Platform', description: 'Where the app runs.' });
