import { v7 as uuidv7 } from 'uuid';
import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { lockAccount } from '../users/user.queries.ts';
import { maxOffspring, maxOffspringEver } from './add-offspring.ts';
import { checkBirthDate } from './check-birth-date.ts';
import { findProfiles, insertPatient, updatePatient } from './patient.queries.ts';
import { countOffspringEver, deactivateOthers, differs, findKnown } from './offspring.queries.ts';
import type { OffspringList, SyncedProfiles } from './sync.schemas.ts';
import { toProfile } from './profile.schemas.ts';

/**
 * Makes the people whom the caller acts for those that the clinic lists: known ones, by their external id, are changed,
 * others are added; with `deactivate_missing` those that the clinic once listed and lists no more are deactivated. Doing it
 * again changes nothing. Profiles without an external id are the caller's own business and stay.
 *
 * @param technicalId the external id of the caller's own profile.
 * @throws {Problem} `profile_not_found`, `external_id_taken`, `profile_limit`, `validation_error`
 */
export async function syncOffsprings(
  { db, clock, audit }: Context,
  actor: AccountActor,
  technicalId: string,
  { profiles: listed, deactivate_missing: deactivateMissing }: OffspringList,
): Promise<SyncedProfiles> {
  const { id: userId, tenantId } = actor;
  const now = clock.now();
  listed.forEach((each, at) => checkBirthDate(each.birth_date, `/profiles/${at}/birth_date`, now));
  return await inTenant(db, tenantId, async (tx) => {
    // Requests of one account wait for each other: so many profiles and no more.
    await lockAccount(tx, userId);
    const self = (await findProfiles(tx, userId)).find(({ relation }) => relation === 'self');
    if (self?.external_id !== technicalId) throw new Problem('profile_not_found');
    const known = await findKnown(tx, actor, listed);
    const counts = { created: 0, updated: 0, deactivated: 0 };
    // An event of each person as well: the trail of a child names who has changed the child's profile.
    const note = async (change: keyof typeof counts, { id, uuid }: { id: number; uuid: string }) => {
      counts[change] += 1;
      await audit.succeeded(tx, { subject: { kind: 'patient', uuid }, patientId: id, detail: { change } });
    };
    for (const person of listed) {
      const before = known.find((row) => row.external_id === person.external_id);
      if (before === undefined) {
        const owned = { tenant_id: tenantId, account_user_id: userId, guardian_confirmed_at: now };
        await note('created', await insertPatient(tx, { ...person, uuid: uuidv7(), ...owned }));
      } else if (differs(before, person)) {
        const change = { ...person, deactivated_at: null };
        const { id, version } = before;
        await note('updated', await updatePatient(tx, { tenantId, id, version }, change));
      }
    }
    const missing = deactivateMissing ? await deactivateOthers(tx, actor, listed, now) : [];
    for (const row of missing) await note('deactivated', row);
    const rows = await findProfiles(tx, userId);
    if (rows.length > maxOffspring + 1) throw new Problem('profile_limit');
    if (counts.created > 0 && (await countOffspringEver(tx, actor)) > maxOffspringEver)
      throw new Problem('profile_limit');
    await audit.succeeded(tx, {
      subject: { kind: 'patient', uuid: self.uuid },
      patientId: self.id,
      detail: counts,
    });
    return { profiles: rows.map((row) => toProfile(row, now)), ...counts };
  });
}
