import { v7 as uuidv7 } from 'uuid';
import type { AccountActor } from '../../../contract/actor.ts';
import type { Tx } from '../../../lib/db/connect.ts';

/** A batch of the account, by its UUID. */
export async function findBatch(tx: Tx, accountId: number, uuid: string): Promise<string | undefined> {
  return (await ownBatches(tx, accountId).where('uuid', '=', uuid).executeTakeFirst())?.uuid;
}

export async function findBatchByClientId(
  tx: Tx,
  accountId: number,
  clientId: string,
): Promise<string | undefined> {
  return (await ownBatches(tx, accountId).where('client_batch_id', '=', clientId).executeTakeFirst())?.uuid;
}

const ownBatches = (tx: Tx, accountId: number) =>
  tx.selectFrom('case_batches').select('uuid').where('account_user_id', '=', accountId);

export async function insertBatch(
  tx: Tx,
  account: Pick<AccountActor, 'id' | 'tenantId'>,
  { clientId, size }: { clientId: string; size: number },
  now: Date,
): Promise<string> {
  const uuid = uuidv7();
  await tx
    .insertInto('case_batches')
    .values({
      uuid,
      tenant_id: account.tenantId,
      kind: 'patient_session',
      account_user_id: account.id,
      client_batch_id: clientId,
      expected_size: size,
      created_at: now,
    })
    .execute();
  return uuid;
}
