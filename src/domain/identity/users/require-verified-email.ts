import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';

/**
 * Where `REQUIRE_VERIFIED_EMAIL` is set, health data is taken only from accounts whose address is proved.
 * @throws {Problem} `email_unverified`
 */
export async function requireVerifiedEmail(db: Db, actor: AccountActor): Promise<void> {
  const row = await inTenant(db, actor.tenantId, (tx) =>
    tx.selectFrom('users').select('is_verified').where('id', '=', actor.id).executeTakeFirst(),
  );
  if (row?.is_verified !== true) throw new Problem('email_unverified');
}
