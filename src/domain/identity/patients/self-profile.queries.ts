import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../../lib/db/connect.ts';

/**
 * Gives the account of a patient the profile of its owner, unless it has one. Accounts get it at registration; one that
 * older code registered while a newer version was being deployed gets it when its profiles are first asked for.
 */
export async function createSelfProfile(
  tx: Tx,
  { tenantId, userId }: { tenantId: number; userId: number },
): Promise<void> {
  await tx
    .insertInto('patients')
    .values({ uuid: uuidv7(), tenant_id: tenantId, account_user_id: userId, relation: 'self' })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'account_user_id'])
        // Not a parameter: PostgreSQL finds the partial index by the text, and in a prepared statement only by that.
        .where('relation', '=', sql.lit('self'))
        .doNothing(),
    )
    .execute();
}
