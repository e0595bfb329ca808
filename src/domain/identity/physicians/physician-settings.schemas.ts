import { z } from 'zod';
import { Language } from '../../../contract/language.ts';

const printable = { error: 'Must not contain control characters.' };

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text), printable);

/** Settings that physicians change themselves. */
export const PhysicianSettings = z
  .strictObject({
    display_name: line(120).optional().meta({ description: 'As patients read it.' }),
    title: line(60).optional().meta({ description: 'Such as `Dr.`.' }),
    review_languages: z
      .array(Language)
      .min(1)
      .max(Language.options.length)
      .optional()
      .meta({ description: 'Languages of the cases to be offered; the own language where absent.' }),
    notify: z
      .strictObject({
        mail: z.boolean().optional().meta({ description: 'By mail.' }),
        push: z.boolean().optional().meta({ description: 'On devices.' }),
      })
      .optional()
      .meta({ id: 'PhysicianNotify', description: 'Notification channels for assigned cases.' }),
    signature_text: z
      .string()
      .max(500)
      .refine((text) => !/[^\P{Cc}\t\n\r]/u.test(text), printable)
      .optional()
      .meta({ description: 'Below answers.' }),
    page_size: z.int().min(10).max(100).optional().meta({ description: 'Of lists.' }),
    unique_session: z
      .boolean()
      .optional()
      .meta({ description: 'Whether a new login ends the session before.' }),
  })
  .meta({ id: 'PhysicianSettings', description: 'Settings that physicians change themselves.' });
export type PhysicianSettings = z.infer<typeof PhysicianSettings>;

/** Settings that only admins change. */
export const PhysicianAdminSettings = z
  .strictObject({
    general_pool: z
      .boolean()
      .optional()
      .meta({ description: 'Whether cases of the general pool are offered; true where absent.' }),
    max_open_cases: z
      .int()
      .min(1)
      .max(20)
      .optional()
      .meta({ description: 'Maximum number of leased cases, a batch counting once; by default 1.' }),
    can_sign: z
      .boolean()
      .optional()
      .meta({ description: 'Whether answers may be signed; true where absent.' }),
    audit_exempt: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the audit sample excludes the answers; by default false.' }),
  })
  .meta({ id: 'PhysicianAdminSettings', description: 'Settings that only admins change.' });
export type PhysicianAdminSettings = z.infer<typeof PhysicianAdminSettings>;
