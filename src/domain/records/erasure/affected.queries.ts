import type { RawBuilder } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';

/** How many rows a statement has changed. */
export async function affected(tx: Tx, statement: RawBuilder<unknown>): Promise<number> {
  return Number((await statement.execute(tx)).numAffectedRows ?? 0n);
}
