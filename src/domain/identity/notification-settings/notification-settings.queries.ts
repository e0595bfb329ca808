import type { Channel } from '../../../contract/channel.ts';
import type { Tx } from '../../../lib/db/connect.ts';

export async function findChannels(tx: Tx, userId: number): Promise<string[]> {
  const { notify_channels: channels } = await tx
    .selectFrom('users')
    .select('notify_channels')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return channels;
}

export async function setChannels(tx: Tx, userId: number, channels: Channel[]): Promise<void> {
  await tx.updateTable('users').set({ notify_channels: channels }).where('id', '=', userId).execute();
}
