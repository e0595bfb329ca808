import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import { versionConflict } from '../../../contract/version-conflict.ts';
import type { Context } from '../../../lib/app/context.ts';
import { isCheckViolation } from '../../../lib/db/errors.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import type { JsonObject } from '../../../lib/json/json-object.ts';
import { checkName, checkValues, valuesSchemaOf } from './check-values.ts';
import { findSets, lockSetVersion, nextSetVersion, replaceValues } from './parameter-set.queries.ts';
import type { OfficeParameters } from './parameter-set.schemas.ts';
import { describeSet } from './describe-set.ts';
import { legalOf, versionWithoutText } from './require-text.ts';
import type { Visibility } from '../../platform/parameters/parameter.queries.ts';

export interface NewSet {
  branch: string;
  sub_branch: string;
  values: JsonObject;
  /** Of parameters without a schema and without defaults of the platform; stays as it is where absent. */
  visibility?: Visibility | undefined;
  /** That the caller has read. */
  version: number;
}

/**
 * Replaces a tenant's own values of a name; the defaults of the platform stay. Instances see the change within five seconds.
 * @throws {Problem} `parameters_not_found`, `validation_error`, `version_conflict`
 */
export async function replaceParameterSet(
  { db, log, audit, request }: Context,
  { tenantId, id: updatedBy }: AccountActor,
  input: NewSet,
): Promise<OfficeParameters> {
  const name = checkName(input);
  const values = checkValues(name, input.values);
  if (input.visibility !== undefined && valuesSchemaOf(name) !== undefined) throw settled();
  return await refusingLargeValues(() =>
    inTenant(db, tenantId, async (tx) => {
      const legal = legalOf(name);
      // First, so that a version and its text do not change side by side.
      if (legal !== undefined) await lockSetVersion(tx, tenantId, legal);
      const current = await lockSetVersion(tx, tenantId, name);
      if (current !== input.version) throw versionConflict(current);
      const [before] = await findSets(tx, tenantId, [name]);
      const rows = before?.rows ?? [];
      const isPlatforms = rows.some(({ tenant_id: owner }) => owner === null);
      if (input.visibility !== undefined && isPlatforms) throw settled();
      const visibility = input.visibility ?? describeSet({ name, rows }, current, log).visibility;
      const now = request.receivedAt;
      const changed = await replaceValues(tx, { tenantId, name, values, visibility, updatedBy, now });
      if (legal !== undefined) refuseUnreadable(name, changed, await versionWithoutText(tx, tenantId, legal));
      const version = await nextSetVersion(tx, tenantId, name);
      await audit.succeeded(tx, { detail: { parameter: name, changed, visibility, version } });
      const [after] = await findSets(tx, tenantId, [name]);
      return describeSet({ name, rows: after?.rows ?? [] }, version, log);
    }),
  );
}

/** A change of other texts passes where the current one was missing before. */
function refuseUnreadable(
  name: string,
  changed: readonly string[],
  missing: { version: string; key: string } | undefined,
): void {
  if (missing === undefined) return;
  const isVersion = name.startsWith('legal/');
  if (!isVersion && !changed.includes(missing.key)) return;
  const message = `Version ${missing.version} counts and has no text: store one under ${missing.key} first.`;
  const pointer = isVersion ? '/values/version' : `/values/${missing.key}`;
  throw new Problem('validation_error', { errors: [{ pointer, code: 'invalid_value', message }] });
}

function settled(): Problem {
  const message = 'Who may see these parameters is settled.';
  return new Problem('validation_error', {
    errors: [{ pointer: '/visibility', code: 'invalid_value', message }],
  });
}

/** PostgreSQL measures a value in its own form, in which 1e300 has 301 digits. */
async function refusingLargeValues<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isCheckViolation(error, 'application_parameters_value_check')) throw error;
    const message = 'A value is larger than 64 KiB.';
    throw new Problem('validation_error', {
      errors: [{ pointer: '/values', code: 'too_big', message }],
      cause: error,
    });
  }
}
