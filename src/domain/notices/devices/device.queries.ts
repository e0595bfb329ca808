import type { Tx } from '../../../lib/db/connect.ts';

/** Devices of one account. News costs a message for each: without a limit one account could delay those of others. */
const most = 20;

/** @returns the uuid of the user's device with this token. */
export async function findOwnDevice(tx: Tx, userId: number, tokenHash: Buffer): Promise<string | undefined> {
  const device = await tx
    .selectFrom('push_devices')
    .select('uuid')
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return device?.uuid;
}

/** Deletes the devices of a user beyond {@link most}, those not seen for longest; the caller holds the lock on the account. */
export async function deleteDevicesOverLimit(tx: Tx, userId: number, newest: string): Promise<void> {
  await tx
    .deleteFrom('push_devices')
    .where('uuid', 'in', (eb) =>
      eb
        .selectFrom('push_devices as other')
        .select('other.uuid')
        .where('other.user_id', '=', userId)
        .where('other.uuid', '!=', newest)
        .orderBy('other.last_seen_at', 'desc')
        .orderBy('other.uuid', 'desc')
        .offset(most - 1),
    )
    .execute();
}
