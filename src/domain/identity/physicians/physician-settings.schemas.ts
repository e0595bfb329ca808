import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { isJsonObject } from '../../../lib/json/json-object.ts';
import { shortText } from '../../../lib/schema/short-text.ts';

const printable = { error: 'Must not contain control characters.' };

/** Without the title. */
export const DisplayName = shortText(120).meta({
  description: 'As patients read it; at most 120 characters.',
  examples: ['Noor Example'],
});

/** Settings that physicians change themselves. */
export const PhysicianSettings = z
  .strictObject({
    display_name: DisplayName.optional(),
    title: shortText(60).optional().meta({ description: 'Such as `Dr.`; at most 60 characters.' }),
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

/** Settings as they are stored. */
export const storedSettings = (stored: unknown): PhysicianSettings => readable(PhysicianSettings, stored);
export const storedAdminSettings = (stored: unknown): PhysicianAdminSettings =>
  readable(PhysicianAdminSettings, stored);

/**
 * The members that fit the schema. One that does not, such as one that a newer version has written, counts as absent and takes no
 * other along: a physician who may not sign must not be able to because of it.
 */
function readable<Schema extends z.ZodObject>(schema: Schema, stored: unknown): z.output<Schema> {
  const given = isJsonObject(stored) ? stored : {};
  const members = Object.entries<z.ZodType>(schema.shape).flatMap(([name, field]) => {
    const { data } = field.safeParse(given[name]);
    return data === undefined ? [] : [[name, data]];
  });
  return Object.fromEntries(members) as z.output<Schema>;
}
