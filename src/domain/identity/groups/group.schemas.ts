import { z } from 'zod';
import { Role } from '../../../contract/role.ts';
import { Timestamp } from '../../../contract/timestamp.ts';
import { pageOf } from '../../../lib/paging/page.ts';
import { shortText } from '../../../lib/schema/short-text.ts';
import { GroupSettings } from './group-settings.schemas.ts';

export const GroupName = shortText(120).meta({
  description: 'At most 120 characters; no two groups of a tenant have the same.',
  examples: ['Second readers'],
});

export const Group = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the group.' }),
    name: z.string().meta({ description: 'Name of the group.' }),
    settings: GroupSettings,
    member_count: z.int().meta({ description: 'Accounts in it, inactive ones included.' }),
    version: z.int().meta({ description: 'Grows with each change of name and settings; for `If-Match`.' }),
    created_at: Timestamp.meta({ description: 'When it was created.' }),
  })
  .meta({ id: 'Group', description: 'Staff who may do, and are offered, the same beyond their roles.' });
export type Group = z.input<typeof Group>;

const GroupMember = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the account.' }),
    email: z.string().meta({ description: 'Address of the account.' }),
    display_name: z.string().nullable().meta({ description: 'Of a physician; null for others.' }),
    role: Role,
    is_active: z.boolean().meta({ description: 'Whether the account may log in.' }),
    added_at: Timestamp.meta({ description: 'When the account joined the group.' }),
  })
  .meta({ id: 'GroupMember', description: 'An account in a group.' });

export const GroupDetail = Group.extend({
  members: pageOf(GroupMember, { id: 'GroupMemberPage', description: 'A page of the members of a group.' }),
}).meta({ id: 'GroupDetail', description: 'A group with its members.' });
export type GroupDetail = z.input<typeof GroupDetail>;

/** At most so many accounts in one change. */
const changedAtOnce = 100;
const accounts = z.array(z.uuid().toLowerCase()).max(changedAtOnce);

export const MemberChange = z
  .strictObject({
    add: accounts.default([]).meta({ description: 'Accounts that join; those that are in it already stay.' }),
    remove: accounts.default([]).meta({ description: 'Accounts that leave.' }),
  })
  .refine(({ add, remove }) => add.length + remove.length > 0, { error: 'Names no account.' })
  .refine(({ add, remove }) => new Set([...add, ...remove]).size === add.length + remove.length, {
    error: 'Names an account twice.',
  })
  .meta({ id: 'GroupMemberChange', description: 'Accounts that join or leave a group, by UUID.' });
export type MemberChange = z.output<typeof MemberChange>;

const MemberFault = z.enum(['user_not_found', 'not_staff']).meta({
  id: 'GroupMemberFault',
  description: 'The reason for the failure; `not_staff`: patients cannot be members.',
});

export const MemberResults = z
  .object({
    results: z
      .array(
        z
          .object({
            user_uuid: z.uuid().meta({ description: 'The account.' }),
            ok: z.boolean().meta({ description: 'Whether the account is now in the requested state.' }),
            code: MemberFault.optional(),
          })
          .meta({ id: 'GroupMemberResult', description: 'The result for one account.' }),
      )
      .meta({
        description: 'Results for the added, then for the removed accounts, in the order of the request.',
      }),
    member_count: z.int().meta({ description: 'Accounts in the group now.' }),
  })
  .meta({ id: 'GroupMemberResults', description: 'Each account succeeds or fails independently.' });
export type MemberResults = z.input<typeof MemberResults>;
