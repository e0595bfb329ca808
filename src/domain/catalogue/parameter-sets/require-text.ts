import type { Tx } from '../../../lib/db/connect.ts';
import { shippedVersion, textKey, texts } from '../resources/published-texts.ts';
import { findSets } from './parameter-set.queries.ts';
import { OwnTexts, parameterSchemas } from '../../platform/parameters/parameter-schemas.ts';

const legal = Object.values(texts).flatMap(({ parameter }) => (parameter === undefined ? [] : [parameter]));

/** The parameter that names the current version of what `name` is or holds the texts of; undefined for all others. */
export const legalOf = (name: string) =>
  legal.find((parameter) => parameter === name || textsOf(parameter) === name);

/**
 * The version of a legal text that counts although it cannot be read: without a consent no patient can submit a case.
 *
 * @param tenantId null for the platform's own defaults.
 * @param parameter whose set is locked, where a tenant's is about to change.
 * @returns undefined where the version has a text that stands in for every language.
 */
export async function versionWithoutText(
  tx: Tx,
  tenantId: number | null,
  parameter: (typeof legal)[number],
): Promise<{ version: string; key: string } | undefined> {
  const [versions, stored] = await findSets(tx, tenantId, [parameter, textsOf(parameter)]);
  const { version: schema } = parameterSchemas[parameter].shape;
  const [current = shippedVersion] = ownFirst(versions?.rows, 'version').flatMap(({ value }) => {
    const { data } = schema.safeParse(value);
    return data === undefined ? [] : [data];
  });
  const key = textKey(current);
  const [text] = ownFirst(stored?.rows, key);
  const isReadable = text === undefined ? current === shippedVersion : OwnTexts.safeParse(text.value).success;
  return isReadable ? undefined : { version: current, key };
}

/** The parameter that has the texts of a legal one. */
export const textsOf = (parameter: string) => parameter.replace('legal/', 'resources/');

function ownFirst<Row extends { key: string; tenant_id: number | null }>(
  rows: readonly Row[] | undefined,
  key: string,
): Row[] {
  return (rows ?? [])
    .filter((row) => row.key === key)
    .toSorted((a, b) => Number(a.tenant_id === null) - Number(b.tenant_id === null));
}
