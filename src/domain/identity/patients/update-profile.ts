import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { setAccountLanguage } from '../users/user.queries.ts';
import { checkBirthDate } from './check-birth-date.ts';
import { findProfileInUse, updatePatient } from './patient.queries.ts';
import { type Profile, type ProfileChange, toProfile } from './profile.schemas.ts';

/**
 * Changes one of the caller's profiles. The language of the caller's own profile is that of the account's mails as well.
 * @param version that the caller has read.
 * @throws {Problem} `profile_not_found`, `version_conflict`, `validation_error`
 */
export async function updateProfile(
  { db, clock, audit }: Context,
  actor: AccountActor,
  { uuid, version, ...change }: Omit<ProfileChange, 'version'> & { uuid: string; version: number },
): Promise<Profile> {
  const { id: userId, tenantId } = actor;
  checkBirthDate(change.birth_date, '/birth_date', clock.now());
  return await inTenant(db, tenantId, async (tx) => {
    const known = await findProfileInUse(tx, uuid);
    if (known?.account_user_id !== userId) {
      throw new Problem('profile_not_found', { ...(known && { conceals: { kind: 'patient', uuid } }) });
    }
    const row = await updatePatient(tx, { tenantId, id: known.id, version }, change);
    if (change.language !== undefined && known.relation === 'self') {
      await setAccountLanguage(tx, userId, change.language);
    }
    const subject = { kind: 'patient', uuid };
    await audit.succeeded(tx, { subject, patientId: known.id, detail: { changed: Object.keys(change) } });
    return toProfile(row, clock.now());
  });
}
