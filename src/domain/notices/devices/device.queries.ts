import type { Tx } from '../../../lib/db/connect.ts';

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
