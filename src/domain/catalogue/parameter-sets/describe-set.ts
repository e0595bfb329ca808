import { z } from 'zod';
import type { Log } from '../../../lib/telemetry/log.ts';
import { valuesSchemaOf } from './check-values.ts';
import type { Visibility } from '../../platform/parameters/parameter.queries.ts';
import { parameterSchemas, schemaOf } from '../../platform/parameters/parameter-schemas.ts';
import type { OfficeParameters } from './parameter-set.schemas.ts';
import { firstVersion, type ParameterRows } from './parameter-set.queries.ts';
import { effectiveParameters } from '../../platform/parameters/read-parameters.ts';

/** The names that the service knows. */
export const knownNames: readonly string[] = Object.keys(parameterSchemas);

/** The parameters of a name as admins see them: own values, defaults, and what may stand in them. */
export function describeSet(
  { name, rows }: ParameterRows,
  version: number | null,
  log: Log,
): OfficeParameters {
  const [branch = '', sub_branch = ''] = name.split('/');
  const own = rows.filter(({ tenant_id: owner }) => owner !== null);
  const platform = rows.filter(({ tenant_id: owner }) => owner === null);
  const valid = new Set(effectiveParameters(own, name, log).map(({ key }) => key));
  const last = own.toSorted((a, b) => b.updated_at.getTime() - a.updated_at.getTime())[0];
  return {
    branch,
    sub_branch,
    version: version ?? firstVersion,
    visibility: visibilityOf(platform.length > 0 ? platform : own),
    values: byKey(own),
    defaults: { ...schemaOf(name)?.parse({}), ...byKey(effectiveParameters(platform, name, log)) },
    ignored: own.filter(({ key }) => !valid.has(key)).map(({ key }) => key),
    value_schema: jsonSchemaOf(name),
    updated_at: last?.updated_at ?? null,
    updated_by: last?.updated_by ?? null,
  };
}

const byKey = (rows: readonly { key: string; value: unknown }[]) =>
  Object.fromEntries(rows.map(({ key, value }) => [key, value]));

const widening: readonly Visibility[] = ['internal', 'staff', 'authenticated', 'public'];

/** Of all keys: the narrowest, should they differ. */
const visibilityOf = (rows: readonly { visibility: Visibility }[]): Visibility =>
  widening.find((each) => rows.some(({ visibility }) => visibility === each)) ?? 'internal';

const described = new Map<string, Record<string, unknown> | null>();

function jsonSchemaOf(name: string): Record<string, unknown> | null {
  const known = described.get(name);
  if (known !== undefined) return known;
  const schema = valuesSchemaOf(name);
  const made = schema === undefined ? null : { ...z.toJSONSchema(schema, { io: 'input' }) };
  // Names that clients make up must not fill the memory.
  if (schemaOf(name) !== undefined) described.set(name, made);
  return made;
}
