import type { Tx } from '../../../lib/db/connect.ts';

/** What decides whether the answer of a case can be read; undefined for one that has been erased. */
export async function findAnswerState(tx: Tx, caseUuid: string) {
  return await tx
    .selectFrom('request_records')
    .select(['closed_at', 'final_annotation_uuid'])
    .where('uuid', '=', caseUuid)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
}

/** An account that is in use and whose address is verified. */
export async function findVerifiedOwner(tx: Tx, userId: number) {
  return await tx
    .selectFrom('users')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .select(['users.uuid', 'users.email'])
    .where('users.id', '=', userId)
    .where('users.is_active', '=', true)
    .where('users.is_verified', '=', true)
    .where('tenants.is_active', '=', true)
    .executeTakeFirst();
}
