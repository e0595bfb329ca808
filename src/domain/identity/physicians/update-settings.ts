import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import { versionConflict } from '../../../contract/version-conflict.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { mergePatch } from '../../../lib/json/merge-patch.ts';
import type { SettingsChange } from './settings-change.schemas.ts';
import type { PhysicianDetails } from './physician.schemas.ts';
import { lockProfile, type ProfileChange, updateProfile } from './physician.queries.ts';
import { showPhysician } from './show-physicians.ts';

/**
 * Changes the settings of a physician: one's own, or for admins those of any, with what admins decide.
 * @param version that the caller has read.
 * @throws {Problem} `forbidden`, `physician_profile_required`, `physician_not_found`, `version_conflict`
 */
export async function updateSettings(
  { db, audit, request }: Context,
  actor: AccountActor,
  { physician_uuid: uuid, version, ...change }: SettingsChange & { version: number },
): Promise<PhysicianDetails> {
  const isAdmin = actor.role === 'admin';
  if (!isAdmin && (change.admin_settings !== undefined || change.private_pool !== undefined)) {
    throw new Problem('forbidden', { detail: 'Admins decide on admin_settings and private_pool.' });
  }
  return await inTenant(db, actor.tenantId, async (tx) => {
    const known = await lockChangeable(tx, actor, uuid);
    if (known.version !== version) throw versionConflict(known.version);
    await updateProfile(tx, { id: known.id, version: version + 1 }, changeOf(known, change));
    await audit.succeeded(tx, {
      subject: { kind: 'physician', uuid: known.uuid },
      detail: { changed: namesOf(change) },
    });
    const show = { actor, now: request.receivedAt };
    const changed = await showPhysician(tx, show, known.uuid);
    // The profile of an account that has become a patient's: nothing is changed.
    if (changed === undefined) throw new Problem('physician_not_found');
    return changed;
  });
}

async function lockChangeable(tx: Tx, actor: AccountActor, uuid: string | undefined) {
  const row = await lockProfile(tx, uuid === undefined ? { userId: actor.id } : { uuid });
  // Colleagues are no secret, but their settings are their own.
  if (actor.role !== 'admin' && uuid !== undefined && row?.user_id !== actor.id)
    throw new Problem('forbidden');
  if (row !== undefined) return row;
  throw new Problem(uuid === undefined ? 'physician_profile_required' : 'physician_not_found');
}

function changeOf(
  known: { settings: unknown; admin_settings: unknown },
  change: SettingsChange,
): ProfileChange {
  const {
    settings,
    admin_settings: adminSettings,
    language_preference: language,
    private_pool: pool,
  } = change;
  // Members that only a newer version knows stay.
  return {
    ...(settings && { settings: JSON.stringify(mergePatch(known.settings, settings)) }),
    ...(adminSettings && { admin_settings: JSON.stringify(mergePatch(known.admin_settings, adminSettings)) }),
    ...(language !== undefined && { language_preference: language }),
    ...(pool !== undefined && { private_pool: pool }),
  };
}

/** `settings/title`, for the event log: names of settings, never what they are. */
function namesOf(change: SettingsChange): string[] {
  return Object.entries(change).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    const isPatch = name === 'settings' || name === 'admin_settings';
    return isPatch ? Object.keys(value as object).map((member) => `${name}/${member}`) : [name];
  });
}
