import { v7 as uuidv7 } from 'uuid';
import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { CaseBatchInput } from './case-input.schemas.ts';

/**
 * The batch that a new case belongs to: one of the account's, or a new one.
 * @throws {Problem} `validation_error` for one that is not the account's.
 */
export async function findOrCreateBatch(
  tx: Tx,
  actor: Pick<AccountActor, 'id' | 'tenantId'>,
  batch: CaseBatchInput | undefined,
  now: Date,
): Promise<string | null> {
  if (batch === undefined) return null;
  const own = tx.selectFrom('case_batches').select('uuid').where('account_user_id', '=', actor.id);
  if ('uuid' in batch) {
    const found = await own.where('uuid', '=', batch.uuid).executeTakeFirst();
    if (found !== undefined) return found.uuid;
    const message = 'There is no such batch of this account.';
    throw new Problem('validation_error', {
      errors: [{ pointer: '/batch/uuid', code: 'invalid_value', message }],
    });
  }
  const { client_batch_id: clientId, expected_size: size } = batch;
  const known = await own.where('client_batch_id', '=', clientId).executeTakeFirst();
  if (known !== undefined) return known.uuid;
  const uuid = uuidv7();
  await tx
    .insertInto('case_batches')
    .values({
      uuid,
      tenant_id: actor.tenantId,
      kind: 'patient_session',
      account_user_id: actor.id,
      client_batch_id: clientId,
      expected_size: size,
      created_at: now,
    })
    .execute();
  return uuid;
}
