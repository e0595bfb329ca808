import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { findProfiles } from './patient.queries.ts';
import { type Profile, toProfile } from './profile.schemas.ts';
import { createSelfProfile } from './self-profile.queries.ts';

/** The profiles of the caller's account, the caller's own first. Accounts of staff have none of their own. */
export async function listProfiles({ db, clock }: Context, actor: AccountActor): Promise<Profile[]> {
  const { id: userId, tenantId, role } = actor;
  const rows = await inTenant(db, tenantId, async (tx) => {
    const known = await findProfiles(tx, userId);
    if (role !== 'patient' || known[0]?.relation === 'self') return known;
    await createSelfProfile(tx, { tenantId, userId });
    return await findProfiles(tx, userId);
  });
  return rows.map((row) => toProfile(row, clock.now()));
}
