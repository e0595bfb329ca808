import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { deleteOwnDevice } from './device.queries.ts';

/**
 * Ends the push messages to one of the caller's devices.
 * @throws {Problem} `not_found` for a device that is not registered or not the caller's.
 */
export async function removeDevice(
  { db, audit }: Context,
  { id: userId, tenantId }: AccountActor,
  uuid: string,
): Promise<void> {
  await inTenant(db, tenantId, async (tx) => {
    if (!(await deleteOwnDevice(tx, userId, uuid))) throw new Problem('not_found');
    await audit.succeeded(tx, { subject: { kind: 'push_device', uuid } });
  });
}
