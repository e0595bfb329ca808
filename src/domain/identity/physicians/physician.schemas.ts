import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { Timestamp } from '../../../contract/timestamp.ts';
import { PageQuery, pageOf } from '../../../lib/paging/page.ts';
import { Capability } from '../groups/capability.ts';
import { PrivatePool } from '../groups/private-pool.ts';
import { Email } from '../users/user.schemas.ts';
import { DisplayName, PhysicianAdminSettings, PhysicianSettings } from './physician-settings.schemas.ts';

const EmployeeId = z.int().min(1).max(Number.MAX_SAFE_INTEGER).meta({
  description: 'Number that the clinic has assigned; no two physicians of a tenant have the same.',
});

export const NewPhysician = z
  .strictObject({
    email: Email,
    display_name: DisplayName,
    language_preference: Language.meta({
      description: 'Language that the physician reads, and of the mails.',
    }),
    employee_id: EmployeeId.optional(),
    private_pool: PrivatePool.optional(),
    settings: PhysicianSettings.omit({ display_name: true })
      .optional()
      .meta({ id: 'NewPhysicianSettings', description: 'Settings that physicians can change themselves.' }),
    admin_settings: PhysicianAdminSettings.optional(),
    group_uuids: z
      .array(z.uuid().toLowerCase())
      .max(20)
      .optional()
      .meta({ description: 'Groups that the account joins.' }),
    invite: z.boolean().default(true).meta({ description: 'Whether an invitation is sent at once.' }),
  })
  .meta({ id: 'NewPhysician', description: 'The account and the profile of a physician.' });
export type NewPhysician = z.output<typeof NewPhysician>;

export const PhysicianDetails = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the profile.' }),
    display_name: z.string().meta({ description: 'Title and name, else a number.' }),
    language_preference: Language,
    review_languages: z.array(Language).meta({ description: 'Of the cases that are offered.' }),
    vacation_mode: z
      .boolean()
      .meta({ description: 'Whether the physician is on vacation and is offered no cases.' }),
    private_pool: z.string().nullable().meta({ description: 'The physician’s private pool, if any.' }),
    active: z.boolean().meta({ description: 'Whether the account may log in.' }),
    load: z
      .object({
        open: z.int().meta({ description: 'Leased cases.' }),
        reserved: z.int().meta({ description: 'Queued cases reserved for this physician.' }),
        answered_7d: z.int().meta({ description: 'Answers signed within seven days and not withdrawn.' }),
      })
      .meta({ id: 'PhysicianLoad', description: 'The physician’s workload.' }),
    last_active_at: Timestamp.nullable().meta({ description: 'Last activity; null before the first.' }),
    version: z.int().meta({ description: 'Incremented by each change; for `If-Match`.' }),
    vacation_until: Timestamp.nullable().optional().meta({
      description:
        'When the vacation ends by itself; null where there is none, or none that does. For admins, and of oneself.',
    }),
    user_uuid: z.uuid().optional().meta({ description: 'The account. For admins, and of oneself.' }),
    email: z.string().optional().meta({ description: 'For admins, and of oneself.' }),
    employee_id: z.int().nullable().optional().meta({ description: 'For admins, and of oneself.' }),
    settings: PhysicianSettings.optional().meta({ description: 'For admins, and of oneself.' }),
    admin_settings: PhysicianAdminSettings.optional().meta({ description: 'For admins, and of oneself.' }),
    groups: z
      .array(
        z
          .object({
            uuid: z.uuid().meta({ description: 'Identifies the group.' }),
            name: z.string().meta({ description: 'Name of the group.' }),
          })
          .meta({ id: 'PhysicianGroup', description: 'A group of a physician.' }),
      )
      .optional()
      .meta({ description: 'For admins, and of oneself.' }),
    capabilities: z
      .array(Capability)
      .optional()
      .meta({ description: 'By those groups. For admins, and of oneself.' }),
  })
  .meta({ id: 'PhysicianDetails', description: 'A physician with the current workload.' });
/** As the app has it, with times as dates. */
export type PhysicianDetails = z.input<typeof PhysicianDetails>;

export const PhysicianPage = pageOf(PhysicianDetails, {
  id: 'PhysicianPage',
  description: 'A page of physicians.',
});

const PhysicianFilter = z
  .strictObject({
    q: z.string().min(1).max(80).optional().meta({
      description: 'Words, each the beginning of a word of the name, or of the address for admins.',
    }),
    pool: PrivatePool.optional().meta({ description: 'Only physicians with this private pool.' }),
    language: Language.optional().meta({ description: 'Only physicians who review cases in this language.' }),
    vacation_mode: z
      .boolean()
      .optional()
      .meta({ description: 'Only physicians who are, or are not, on vacation.' }),
    active: z.boolean().optional().meta({ description: 'Only active, or only deactivated physicians.' }),
  })
  .meta({ id: 'PhysicianFilter', description: 'Several filters are combined with AND.' });
export type PhysicianFilter = z.output<typeof PhysicianFilter>;

export const PhysicianQuery = z
  .strictObject({
    uuids: z
      .array(z.uuid().toLowerCase())
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'The physicians to return; unknown ones are omitted.' }),
    filter: PhysicianFilter.optional(),
    limit: z.int().min(1).max(100).default(25).meta({ description: 'Maximum number of items.' }),
    cursor: PageQuery.shape.cursor,
  })
  .refine(({ uuids, filter, cursor }) => uuids === undefined || (filter ?? cursor) === undefined, {
    error: 'Either uuids, or a filter with limit and cursor.',
    path: ['uuids'],
  })
  .meta({ id: 'PhysicianQuery', description: 'Either `uuids`, or a filter with `limit` and `cursor`.' });
export type PhysicianQuery = z.output<typeof PhysicianQuery>;
