import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { type CaseRecord, findCase, lockCase } from '../state/apply-transition.ts';

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A case of the caller's own account.
 * @throws {Problem} `case_not_found`, the same for one that is malformed, missing, another account's or another tenant's.
 */
export async function findOwnCase(tx: Tx, actor: AccountActor, uuid: string): Promise<CaseRecord> {
  return requireOwn(uuidForm.test(uuid) ? await findCase(tx, uuid) : undefined, actor, uuid);
}

/** As {@link findOwnCase}, locked for a change. */
export async function lockOwnCase(tx: Tx, actor: AccountActor, uuid: string): Promise<CaseRecord> {
  return requireOwn(uuidForm.test(uuid) ? await lockCase(tx, uuid) : undefined, actor, uuid);
}

function requireOwn(record: CaseRecord | undefined, actor: AccountActor, uuid: string): CaseRecord {
  if (record !== undefined && record.account_user_id === actor.id && record.erased_at === null) return record;
  throw new Problem('case_not_found', uuidForm.test(uuid) ? { conceals: { kind: 'case', uuid } } : {});
}

/** @throws {Problem} `version_conflict` when the case is no longer as the client has read it. */
export function requireVersion(record: Pick<CaseRecord, 'version'>, expected: number | undefined): void {
  if (expected === undefined || expected === record.version) return;
  throw new Problem('version_conflict', { members: { current_version: record.version } });
}
