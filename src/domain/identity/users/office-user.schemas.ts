import { z } from 'zod';
import { RecordVersion } from '../../../contract/record-version.ts';
import { Language } from '../../../contract/language.ts';
import { Role } from '../../../contract/role.ts';
import { Timestamp } from '../../../contract/timestamp.ts';
import { PageBody } from '../../../lib/paging/page.ts';
import { normaliseEmailStart } from './user.schemas.ts';

export const OfficeUser = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the account.' }),
    email: z.string().meta({ description: 'In the form that is stored: lower case, NFC.' }),
    role: Role,
    is_active: z.boolean().meta({ description: 'Whether the account may log in.' }),
    is_verified: z.boolean().meta({ description: 'Whether the address is verified.' }),
    language: Language.nullable().meta({ description: 'Language of mails; null if unknown.' }),
    physician: z
      .object({
        uuid: z.uuid().meta({ description: 'Identifies the profile.' }),
        display_name: z.string().meta({ description: 'As patients read it.' }),
      })
      .meta({ id: 'OfficeUserPhysician', description: 'The profile of a physician.' })
      .nullable()
      .meta({ description: 'Null without one; a physician who becomes an admin or a patient retains it.' }),
    version: z.int().meta({
      description:
        'Incremented when an admin changes role or state, not by logins, nor when an invited person registers; for `If-Match`.',
    }),
    created_at: Timestamp.meta({ description: 'When the account was created.' }),
    last_login: Timestamp.nullable().meta({
      description: 'Last login with a password; null before the first.',
    }),
  })
  .meta({ id: 'OfficeUser', description: 'An account as admins see it.' });
export type OfficeUser = z.input<typeof OfficeUser>;

export const OfficeUserDetail = OfficeUser.extend({
  groups: z
    .array(
      z
        .object({
          uuid: z.uuid().meta({ description: 'Identifies the group.' }),
          name: z.string().meta({ description: 'Name of the group.' }),
        })
        .meta({ id: 'GroupName', description: 'A group by its name.' }),
    )
    .meta({ description: 'By name.' }),
  open_sessions: z.int().meta({ description: 'Active sessions.' }),
}).meta({ id: 'OfficeUserDetail', description: 'An account with its groups and sessions.' });
export type OfficeUserDetail = z.input<typeof OfficeUserDetail>;

export const ChangedUser = OfficeUserDetail.extend({
  sessions_ended: z.int().meta({ description: 'Sessions that this change has ended.' }),
  cases_returned: z
    .int()
    .meta({ description: 'Leased, reserved and held cases that returned to the queue.' }),
}).meta({ id: 'ChangedUser', description: 'The account after the change, and the effects of the change.' });
export type ChangedUser = z.input<typeof ChangedUser>;

export const UserSearch = PageBody.extend({
  q: z
    .string()
    .max(254)
    .transform((text) => normaliseEmailStart(text))
    .optional()
    .meta({ description: 'Prefix of the address.', examples: ['noa'] }),
  role: Role.optional().meta({ description: 'Only accounts of this role.' }),
  is_active: z.boolean().optional().meta({ description: 'Only active, or only deactivated accounts.' }),
}).meta({ id: 'UserSearch', description: 'Filters, combined with AND; a URL would expose them.' });
export type UserSearch = z.output<typeof UserSearch>;

export const UserChange = z
  .strictObject({
    is_active: z.boolean().optional().meta({ description: 'Whether the account may log in.' }),
    role: Role.optional(),
    version: RecordVersion.optional().meta({ description: 'Of the account; or send `If-Match`.' }),
  })
  .meta({ id: 'UserChange', description: 'Absent members are not changed.' });
