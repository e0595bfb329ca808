import { z } from 'zod';
import { Role } from './role.ts';
import { Timestamp } from './timestamp.ts';

export const Me = z
  .object({
    user: z
      .object({
        uuid: z.uuid().meta({ description: 'Identifies the user; the `sub` of access tokens.' }),
        email: z.string().meta({ description: 'In the form that is stored: lower case, NFC.' }),
        role: Role,
        is_active: z.boolean().meta({ description: 'Whether the account may log in.' }),
        is_verified: z
          .boolean()
          .meta({ description: 'Whether the user has proved to receive mail at the address.' }),
        tenant_id: z.int().meta({ description: 'Internal number of the tenant.' }),
        created_at: Timestamp.meta({ description: 'When the account was created.' }),
        last_login: Timestamp.nullable().meta({
          description: 'The last login with a password; null before the first.',
        }),
      })
      .meta({ id: 'User', description: 'An account.' }),
    physician: z
      .object({
        uuid: z.uuid().meta({ description: 'Identifies the profile.' }),
        user_id: z.int().meta({ description: 'Internal number of the account.' }),
        employee_id: z.int().nullable().meta({ description: 'Number assigned by the tenant, if any.' }),
        language_preference: z
          .string()
          .meta({ description: 'Language that the physician reads, such as `en`.' }),
        vacation_mode: z.boolean().meta({ description: 'Whether the physician is away and takes no cases.' }),
        created_at: Timestamp.meta({ description: 'When the profile was created.' }),
      })
      .meta({ id: 'Physician', description: 'The profile of a physician.' })
      .nullable()
      .meta({ description: 'Null for patients, and for admins without one.' }),
    tenant: z
      .object({
        uuid: z.uuid().meta({ description: 'Identifies the tenant.' }),
        name: z.string().meta({ description: 'Display name.' }),
        slug: z.string().meta({ description: 'For `?tenant=`.' }),
        is_active: z.boolean().meta({ description: 'Whether its users may log in.' }),
        created_at: Timestamp.meta({ description: 'When the tenant was created.' }),
      })
      .meta({ id: 'Tenant', description: 'A clinic; its data is isolated from all others.' }),
  })
  .meta({ id: 'Me', description: 'The caller’s account.' });
/** As the app has it, with times as dates. */
export type Me = z.input<typeof Me>;
