import type { AccountActor } from '../../../contract/actor.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { loadStaff } from '../../identity/groups/staff.ts';
import { listPhotosVisibleTo } from './part-of-case.queries.ts';

/** Of these photos, those that are part of a case that the caller may see as staff. */
export async function findCasePhotos(
  tx: Tx,
  actor: AccountActor,
  imageUuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (actor.role === 'patient' || imageUuids.length === 0) return new Set();
  const staff = await loadStaff(tx, actor);
  return new Set(await listPhotosVisibleTo(tx, staff, imageUuids));
}
