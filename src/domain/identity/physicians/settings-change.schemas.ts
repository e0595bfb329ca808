import { z } from 'zod';
import { RecordVersion } from '../../../contract/record-version.ts';
import { Language } from '../../../contract/language.ts';
import { PrivatePool } from '../groups/private-pool.ts';
import { PhysicianAdminSettings, PhysicianSettings } from './physician-settings.schemas.ts';

const settingsFields = PhysicianSettings.shape;
const adminFields = PhysicianAdminSettings.shape;

const removable = <Field extends z.ZodType>(field: Field) =>
  field.nullable().meta({ description: field.description ?? '' });

const PhysicianSettingsPatch = z
  .strictObject({
    display_name: removable(settingsFields.display_name),
    title: removable(settingsFields.title),
    review_languages: removable(settingsFields.review_languages),
    notify: z
      .strictObject({
        mail: z.boolean().nullable().optional().meta({ description: 'By mail.' }),
        push: z.boolean().nullable().optional().meta({ description: 'On devices.' }),
      })
      .nullable()
      .optional()
      .meta({ id: 'PhysicianNotifyPatch', description: 'Notification channels for assigned cases.' }),
    signature_text: removable(settingsFields.signature_text),
    page_size: removable(settingsFields.page_size),
    unique_session: removable(settingsFields.unique_session),
  } satisfies Record<keyof typeof settingsFields, z.ZodType>)
  .meta({
    id: 'PhysicianSettingsPatch',
    description: 'Absent members are not changed; null removes a value.',
  });

const PhysicianAdminSettingsPatch = z
  .strictObject({
    general_pool: removable(adminFields.general_pool),
    max_open_cases: removable(adminFields.max_open_cases),
    can_sign: removable(adminFields.can_sign),
    audit_exempt: removable(adminFields.audit_exempt),
  } satisfies Record<keyof typeof adminFields, z.ZodType>)
  .meta({
    id: 'PhysicianAdminSettingsPatch',
    description: 'Absent members are not changed; null removes a value.',
  });

export const SettingsChange = z
  .strictObject({
    physician_uuid: z
      .uuid()
      .toLowerCase()
      .optional()
      .meta({ description: 'One’s own profile where absent.' }),
    language_preference: Language.optional(),
    settings: PhysicianSettingsPatch.optional(),
    admin_settings: PhysicianAdminSettingsPatch.optional(),
    private_pool: PrivatePool.nullable().optional().meta({ description: 'Null removes it.' }),
    version: RecordVersion.optional().meta({ description: 'Of the physician; or send `If-Match`.' }),
  })
  .meta({ id: 'PhysicianSettingsChange', description: 'Absent members are not changed.' });
export type SettingsChange = Omit<z.output<typeof SettingsChange>, 'version'>;
