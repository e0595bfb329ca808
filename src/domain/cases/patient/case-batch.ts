import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { findBatch, findBatchByClientId, insertBatch } from './case-batch.queries.ts';
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
  if ('uuid' in batch) {
    const found = await findBatch(tx, actor.id, batch.uuid);
    if (found !== undefined) return found;
    const message = 'There is no such batch of this account.';
    throw new Problem('validation_error', {
      errors: [{ pointer: '/batch/uuid', code: 'invalid_value', message }],
    });
  }
  const { client_batch_id: clientId, expected_size: size } = batch;
  const known = await findBatchByClientId(tx, actor.id, clientId);
  return known ?? (await insertBatch(tx, actor, { clientId, size }, now));
}
