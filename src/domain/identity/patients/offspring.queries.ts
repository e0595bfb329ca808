import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { SyncedOffspring } from './sync.schemas.ts';

/**
 * The people of the tenant whom a clinic lists, deactivated ones included.
 * @throws {Problem} `external_id_taken` when one of them is not the caller's.
 */
export async function findKnown(tx: Tx, actor: AccountActor, listed: readonly SyncedOffspring[]) {
  const ids = listed.map((person) => person.external_id);
  if (ids.length === 0) return [];
  const rows = await tx
    .selectFrom('patients')
    .select(['id', 'version', 'account_user_id', 'deactivated_at', 'erased_at'])
    .select(['external_id', 'given_name', 'family_name', 'birth_date', 'gender', 'relation'])
    .where('tenant_id', '=', actor.tenantId)
    .where('external_id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  const isOthers = (row: (typeof rows)[number]) =>
    row.account_user_id !== actor.id || row.relation === 'self' || row.erased_at !== null;
  if (rows.some(isOthers)) throw new Problem('external_id_taken');
  return rows;
}

/** Whether what a clinic lists of a person is news. */
export function differs(
  row: Awaited<ReturnType<typeof findKnown>>[number],
  person: SyncedOffspring,
): boolean {
  const fields = Object.keys(person) as (keyof SyncedOffspring)[];
  return row.deactivated_at !== null || fields.some((field) => person[field] !== row[field]);
}

/** Deactivates the caller's profiles that a clinic once listed and lists no more. @returns which. */
export async function deactivateOthers(
  tx: Tx,
  actor: AccountActor,
  listed: readonly SyncedOffspring[],
  now: Date,
): Promise<{ id: number; uuid: string }[]> {
  return await tx
    .updateTable('patients')
    .set((eb) => ({ deactivated_at: now, version: eb('version', '+', 1) }))
    .where('account_user_id', '=', actor.id)
    .where('relation', '!=', 'self')
    .where('external_id', 'is not', null)
    .where('deactivated_at', 'is', null)
    .where((eb) => eb.not(eb('external_id', '=', eb.fn.any(eb.val(listed.map((each) => each.external_id))))))
    .returning(['id', 'uuid'])
    .execute();
}

/** Profiles of the caller's account besides the own one, deactivated ones included. */
export async function countOffspringEver(tx: Tx, actor: AccountActor): Promise<number> {
  const { count } = await tx
    .selectFrom('patients')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_user_id', '=', actor.id)
    .where('relation', '!=', 'self')
    .executeTakeFirstOrThrow();
  return count;
}
