import { v7 as uuidv7 } from 'uuid';
import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import {
  type IdempotentOutcome,
  idempotentRequest,
  withIdempotencyKeyForResource,
} from '../../../lib/idempotency/idempotency.ts';
import { lockAccount } from '../users/user.queries.ts';
import { checkBirthDate } from './check-birth-date.ts';
import { countOffspringEver } from './offspring.queries.ts';
import { findProfiles, insertPatient } from './patient.queries.ts';
import { type NewOffspring, type Profile, toProfile } from './profile.schemas.ts';

/** People whom an account may act for, besides its owner. */
export const maxOffspring = 20;
/** With those who are deactivated: lists that change each time must not fill the database, nor take every id of the clinic. */
export const maxOffspringEver = 100;

interface Added {
  profile: Profile;
  profiles: Profile[];
}

/**
 * Adds a person whom the caller acts for. A retry with the same `Idempotency-Key` gets the first reply.
 * @throws {Problem} `guardian_confirmation_required`, `profile_limit`, `external_id_taken`, those of idempotency
 */
export async function addOffspring(
  context: Context,
  actor: AccountActor,
  { guardian_confirmed: isConfirmed, ...person }: NewOffspring,
): Promise<IdempotentOutcome<Added>> {
  const { db, clock, audit } = context;
  const { id: userId, tenantId } = actor;
  const now = clock.now();
  if (isConfirmed !== true) throw new Problem('guardian_confirmation_required');
  checkBirthDate(person.birth_date, '/birth_date', now);

  async function added(tx: Tx, uuid: string): Promise<Added | undefined> {
    const profiles = (await findProfiles(tx, userId)).map((row) => toProfile(row, now));
    const profile = profiles.find((each) => each.uuid === uuid);
    return profile && { profile, profiles };
  }

  const key = idempotentRequest(context, actor, 'api/v1/mobile/users/offsprings', [JSON.stringify(person)]);
  return await withIdempotencyKeyForResource<Added>(
    db,
    key,
    async (done) =>
      await inTenant(db, tenantId, async (tx) => {
        // Requests of one account wait for each other: so many profiles and no more.
        await lockAccount(tx, userId);
        await requireRoom(tx, actor);
        const uuid = uuidv7();
        const owned = { uuid, tenant_id: tenantId, account_user_id: userId, guardian_confirmed_at: now };
        const { id } = await insertPatient(tx, { ...person, ...owned });
        await audit.succeeded(tx, { subject: { kind: 'patient', uuid }, patientId: id });
        await done?.(tx, uuid);
        return (await added(tx, uuid)) as Added;
      }),
    (uuid) => inTenant(db, tenantId, (tx) => added(tx, uuid)),
  );
}

/** @throws {Problem} `profile_limit` when one more profile would be too many. */
async function requireRoom(tx: Tx, actor: AccountActor): Promise<void> {
  const others = (await findProfiles(tx, actor.id)).filter(({ relation }) => relation !== 'self');
  if (others.length >= maxOffspring || (await countOffspringEver(tx, actor)) >= maxOffspringEver)
    throw new Problem('profile_limit');
}
