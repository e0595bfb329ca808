import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';

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
    const { numDeletedRows } = await tx
      .deleteFrom('push_devices')
      .where('uuid', '=', uuid)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new Problem('not_found');
    await audit.succeeded(tx, { subject: { kind: 'push_device', uuid } });
  });
}
