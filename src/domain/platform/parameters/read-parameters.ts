import {
  findCurrentParameters,
  findParameters,
  type ParameterRow,
  type ParameterSource,
} from './parameter.queries.ts';
import { type ParameterName, type Parameters, parameterSchemas, schemaOf } from './parameter-schemas.ts';

/**
 * The parameters of a tenant, complete and valid: for each key the tenant's own value, else the platform's, else the
 * default in the code. An invalid value counts as none and is logged. At most five seconds old; not for use within a
 * transaction, because it reads over a connection of its own.
 *
 * @param tenantId undefined where no tenant is known: the platform's.
 */
export async function readParameters<Name extends ParameterName>(
  source: ParameterSource,
  tenantId: number | undefined,
  name: Name,
): Promise<Parameters<Name>> {
  return completed(source, await findParameters(source, tenantId ?? 0, name), name);
}

/** As {@link readParameters}, as of now: for what an admin changes and tries at once. */
export async function readCurrentParameters<Name extends ParameterName>(
  source: ParameterSource,
  tenantId: number,
  name: Name,
): Promise<Parameters<Name>> {
  return completed(source, await findCurrentParameters(source, tenantId, name), name);
}

/** Since when the parameters of a tenant have the values that {@link readParameters} reads, or a later time. */
export async function readLastChange(
  source: ParameterSource,
  tenantId: number,
  name: ParameterName,
): Promise<Date> {
  const rows = await findParameters(source, tenantId, name);
  return new Date(Math.max(0, ...rows.map(({ updated_at: at }) => at.getTime())));
}

function completed<Name extends ParameterName>(
  source: ParameterSource,
  rows: readonly ParameterRow[],
  name: Name,
): Parameters<Name> {
  const values = Object.fromEntries(
    effectiveParameters(rows, name, source.log).map(({ key, value }) => [key, value]),
  );
  return parameterSchemas[name].parse(values) as Parameters<Name>;
}

/** For each key the row that counts: the tenant's, or the platform's where the tenant has none that is valid. */
export function effectiveParameters<Row extends Pick<ParameterRow, 'key' | 'value' | 'tenant_id'>>(
  rows: readonly Row[],
  name: string,
  log: ParameterSource['log'],
): Row[] {
  const byKey = Map.groupBy(rows, ({ key }) => key);
  return [...byKey].flatMap(([key, ofKey]) => {
    const ownFirst = ofKey.toSorted((a, b) => Number(a.tenant_id === null) - Number(b.tenant_id === null));
    const counting = ownFirst.find(({ value, tenant_id: tenantId }) => {
      if (isValid(name, key, value)) return true;
      log.warn('parameter_invalid', { parameter: `${name}/${key}`, tenant: tenantId });
      return false;
    });
    return counting === undefined ? [] : [counting];
  });
}

/** Whether a value fits the schema of its key; keys that the service does not know may hold anything. */
function isValid(name: string, key: string, value: unknown): boolean {
  const shape = schemaOf(name)?.shape ?? {};
  const schema = Object.hasOwn(shape, key) ? shape[key] : undefined;
  return schema === undefined || schema.safeParse(value).success;
}
