import { systemActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { isCheckViolation } from '../../../lib/db/errors.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { inTransaction } from '../../../lib/db/transaction.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import type { Visibility } from '../../platform/parameters/parameter.queries.ts';
import { texts } from '../resources/published-texts.ts';
import { checkName, JsonValue, keyForm } from './check-values.ts';
import { OwnTexts, schemaOf } from '../../platform/parameters/parameter-schemas.ts';
import { findVisibility, lockSetVersion, nextSetVersion, storeValue } from './parameter-set.queries.ts';
import { legalOf, textsOf, versionWithoutText } from './require-text.ts';

export interface ParameterChange {
  /** Undefined for the platform's default, which only the role that owns the tables may write. */
  tenantId: number | undefined;
  /** `branch/sub_branch` */
  name: string;
  key: string;
  value: unknown;
  /** Of a key that the service does not know. Where absent it stays as it is; that of a new key is `internal`. */
  visibility: Visibility | undefined;
}

/**
 * Sets a parameter from the command line. Instances see it within five seconds.
 * @returns its version.
 * @throws an error whose message names what is wrong with the value or the names.
 */
export async function setParameter(db: Db, change: ParameterChange, now: Date): Promise<number> {
  checkValue(change);
  try {
    return await store(db, change, now);
  } catch (error) {
    if (!isCheckViolation(error, 'application_parameters_value_check')) throw error;
    throw new Error('The value is larger than 64 KiB.', { cause: error });
  }
}

async function store(db: Db, change: ParameterChange, now: Date): Promise<number> {
  const { tenantId } = change;
  if (tenantId === undefined) return await inTransaction(db, (tx) => write(tx, change, now));
  return await inTenant(db, tenantId, async (tx) => {
    const legal = legalOf(change.name);
    if (legal !== undefined) await lockSetVersion(tx, tenantId, legal);
    await nextSetVersion(tx, tenantId, change.name);
    return await write(tx, change, now);
  });
}

/** Refuses a version of a legal text that no one could read; a text by itself has the form that makes it readable. */
async function requireText(tx: Tx, { name, tenantId }: ParameterChange): Promise<void> {
  const legal = legalOf(name);
  if (legal === undefined || legal !== name) return;
  const missing = await versionWithoutText(tx, tenantId ?? null, legal);
  if (missing === undefined) return;
  throw new Error(`Version ${missing.version} has no text: set ${textsOf(name)} ${missing.key} first.`);
}

function checkValue({ name, key, value, visibility }: ParameterChange): void {
  if (!/^[a-z0-9_-]{1,48}\/[a-z0-9_-]{1,48}$/.test(name) || !keyForm.test(key))
    throw new Error(
      'Names are branch/sub_branch and a key, of small letters, digits, - and _; no key begins with _.',
    );
  requireReadName(name);
  const shape = schemaOf(name)?.shape;
  const isText = name.startsWith('resources/');
  const ofText = isText ? OwnTexts : JsonValue;
  const schema = shape === undefined ? ofText : Object.hasOwn(shape, key) ? shape[key] : undefined;
  if (schema === undefined) throw new Error(`${name} has the keys ${Object.keys(shape ?? {}).join(', ')}.`);
  if (visibility !== undefined && shape !== undefined) throw new Error(`Who may see ${name} is settled.`);
  const problem = schema.safeParse(value).error?.issues[0];
  if (problem !== undefined) throw new Error(`${key} ${problem.path.join('/')}: ${problem.message}`.trim());
}

/** Refuses a misspelt name of ours, as the back office does, and a text that is never published. */
function requireReadName(name: string): void {
  const [branch = '', subBranch = ''] = name.split('/');
  try {
    checkName({ branch, sub_branch: subBranch });
  } catch (error) {
    throw error instanceof Problem ? new Error(error.message, { cause: error }) : error;
  }
  if (branch === 'resources' && !Object.hasOwn(texts, subBranch))
    throw new Error(`The texts are ${Object.keys(texts).join(', ')}.`);
}

async function write(tx: Tx, change: ParameterChange, now: Date): Promise<number> {
  const { tenantId = null, name, key, value } = change;
  const known = await findVisibility(tx, tenantId, { name, key });
  const visibility = change.visibility ?? known ?? 'internal';
  const version = await storeValue(tx, { tenantId, name, key, value, visibility, now });
  await requireText(tx, change);
  const request = { id: 'parameters', ipPrefix: undefined };
  await openAudit(auditEvents.parameterSet, systemActor, request).succeeded(tx, {
    tenantId: change.tenantId,
    detail: { parameter: `${name}/${key}`, by: 'command line' },
  });
  return version;
}
