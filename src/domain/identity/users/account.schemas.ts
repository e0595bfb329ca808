import { z } from 'zod';
import { Role } from '../../../contract/role.ts';
import { Timestamp } from '../../../contract/timestamp.ts';

export const Me = z
  .object({
    user: z
      .object({
        uuid: z.uuid().meta({ description: 'Names the user everywhere; the `sub` of access tokens.' }),
        email: z.string().meta({ description: 'In the form that is stored: lower case, NFC.' }),
        role: Role,
        is_active: z.boolean().meta({ description: 'Whether the account may log in.' }),
        is_verified: z
          .boolean()
          .meta({ description: 'Whether the address has been proved to be the user’s.' }),
        tenant_id: z.int().meta({ description: 'Number of the user’s tenant.' }),
        created_at: Timestamp.meta({ description: 'When the account was made.' }),
        last_login: Timestamp.nullable().meta({
          description: 'The last login with a password; null before it.',
        }),
      })
      .meta({ id: 'User', description: 'An account.' }),
    physician: z
      .object({
        uuid: z.uuid().meta({ description: 'Of the profile.' }),
        user_id: z.int().meta({ description: 'Number of the physician’s account.' }),
        employee_id: z
          .int()
          .nullable()
          .meta({ description: 'Number that the tenant gave; null without one.' }),
        language_preference: z
          .string()
          .meta({ description: 'Language that the physician reads, such as `en`.' }),
        vacation_mode: z.boolean().meta({ description: 'Whether the physician takes no cases now.' }),
        created_at: Timestamp.meta({ description: 'When the profile was made.' }),
      })
      .meta({ id: 'Physician', description: 'The profile of a physician.' })
      .nullable()
      .meta({ description: 'Null for other roles.' }),
    tenant: z
      .object({
        uuid: z.uuid().meta({ description: 'Names the tenant.' }),
        name: z.string().meta({ description: 'For people.' }),
        slug: z.string().meta({ description: 'For `?tenant=`.' }),
        is_active: z.boolean().meta({ description: 'Whether its users may log in.' }),
        created_at: Timestamp.meta({ description: 'When the tenant was made.' }),
      })
      .meta({ id: 'Tenant', description: 'A clinic; its data is walled off from all others.' }),
  })
  .meta({ id: 'Me', description: 'Who the caller is.' });
/** As the use case returns it, with times as dates. */
export type Me = z.input<typeof Me>;
