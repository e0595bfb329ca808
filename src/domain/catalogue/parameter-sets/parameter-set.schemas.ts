import { z } from 'zod';
import { RecordVersion } from '../../../contract/record-version.ts';
import { Timestamp } from '../../../contract/timestamp.ts';
import { JsonObject } from '../../../lib/json/json-object.ts';

export const ParameterVisibility = z
  .enum(['public', 'authenticated', 'staff', 'internal'])
  .meta({ id: 'ParameterVisibility', description: 'Who may read parameters; `internal` is for admins.' });

const values = z.record(z.string(), z.unknown());

export const OfficeParameters = z
  .object({
    branch: z.string().meta({ description: 'First part of the name.' }),
    sub_branch: z.string().meta({ description: 'Second part of the name.' }),
    version: z.int().meta({ description: 'Grows with each change of the tenant’s values; for `If-Match`.' }),
    visibility: ParameterVisibility,
    values: values.meta({ description: 'The tenant’s own values by key, which a PUT replaces.' }),
    defaults: values.meta({ description: 'What counts where the tenant has no value of its own.' }),
    ignored: z
      .array(z.string())
      .meta({ description: 'Keys of own values that do not fit the schema and count as none.' }),
    value_schema: values
      .nullable()
      .meta({ description: 'JSON Schema of the values; null for parameters that only clients use.' }),
    updated_at: Timestamp.nullable().meta({ description: 'When an own value last changed.' }),
    updated_by: z
      .uuid()
      .nullable()
      .meta({ description: 'The admin who last changed one; null for a command.' }),
  })
  .meta({ id: 'OfficeParameters', description: 'The parameters of one name, with what may stand in them.' });
export type OfficeParameters = z.input<typeof OfficeParameters>;

const changeFields = {
  visibility: ParameterVisibility.optional().meta({
    description: 'Only of parameters without a schema; `internal` at first.',
  }),
  version: RecordVersion.optional().meta({
    description: 'Of the parameters, 1 for new ones; or send `If-Match`.',
  }),
};

export const ParametersChange = z.strictObject({ values: JsonObject, ...changeFields });

export const ParametersChangeDocs = z
  .strictObject({
    values: values.meta({
      description: 'All values that are to be the tenant’s own, by key; for the others the defaults count.',
    }),
    ...changeFields,
  })
  .meta({ id: 'ParametersChange', description: 'The whole of a tenant’s own values of one name.' });
