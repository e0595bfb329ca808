import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { Role } from '../../../contract/role.ts';
import { Timestamp } from '../../../contract/timestamp.ts';
import { PageBody } from '../../../lib/page.ts';

export const OfficeUser = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the account.' }),
    email: z.string().meta({ description: 'In the form that is stored: lower case, NFC.' }),
    role: Role,
    is_active: z.boolean().meta({ description: 'Whether the account may log in.' }),
    is_verified: z.boolean().meta({ description: 'Whether its owner has proved to receive mail there.' }),
    language: Language.nullable().meta({ description: 'Of its mails; null where it is not known.' }),
    physician: z
      .object({
        uuid: z.uuid().meta({ description: 'Identifies the profile.' }),
        display_name: z.string().meta({ description: 'As patients read it.' }),
      })
      .meta({ id: 'OfficeUserPhysician', description: 'The profile of a physician.' })
      .nullable()
      .meta({ description: 'Null where there is none; one who has become an admin or a patient keeps it.' }),
    version: z
      .int()
      .meta({ description: 'Grows when role or state change; for `If-Match`. Not with each login.' }),
    created_at: Timestamp.meta({ description: 'When the account was created.' }),
    last_login: Timestamp.nullable().meta({ description: 'With a password; null before the first.' }),
  })
  .meta({ id: 'OfficeUser', description: 'An account as admins see it.' });
export type OfficeUser = z.input<typeof OfficeUser>;

export const OfficeUserDetail = OfficeUser.extend({
  groups: z
    .array(
      z
        .object({
          uuid: z.uuid().meta({ description: 'Identifies the group.' }),
          name: z.string().meta({ description: 'As admins call it.' }),
        })
        .meta({ id: 'GroupName', description: 'A group by its name.' }),
    )
    .meta({ description: 'By name.' }),
  open_sessions: z.int().meta({ description: 'Logins that are neither over nor ended.' }),
}).meta({ id: 'OfficeUserDetail', description: 'An account with its groups and sessions.' });
export type OfficeUserDetail = z.input<typeof OfficeUserDetail>;

export const ChangedUser = OfficeUserDetail.extend({
  sessions_ended: z.int().meta({ description: 'Sessions that this change has ended.' }),
  cases_returned: z
    .int()
    .meta({ description: 'Leases, reservations and holds of a physician that went back to the queue.' }),
}).meta({ id: 'ChangedUser', description: 'An account as it is now, and what the change brought about.' });
export type ChangedUser = z.input<typeof ChangedUser>;

export const UserSearch = PageBody.extend({
  q: z
    .string()
    .max(254)
    .transform((text) => text.trim().normalize('NFC').toLowerCase())
    .optional()
    .meta({ description: 'How the address begins.', examples: ['noa'] }),
  role: Role.optional().meta({ description: 'Only accounts of this role.' }),
  is_active: z.boolean().optional().meta({ description: 'Only accounts that may log in, or only others.' }),
}).meta({ id: 'UserSearch', description: 'Filters that all must fit; none of them stands in a URL.' });
export type UserSearch = z.output<typeof UserSearch>;

export const UserChange = z
  .strictObject({
    is_active: z.boolean().optional().meta({ description: 'Whether the account may log in.' }),
    role: Role.optional(),
    version: z.int().min(1).optional().meta({ description: 'Of the account; or send `If-Match`.' }),
  })
  .meta({ id: 'UserChange', description: 'What is absent stays as it is.' });
