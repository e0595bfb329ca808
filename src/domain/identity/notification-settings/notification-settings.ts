import type { AccountActor } from '../../../contract/actor.ts';
import { Channel } from '../../../contract/channel.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { configuredChannels } from '../../announce/news/configured-channels.ts';
import { findChannels } from './notification-settings.queries.ts';

export interface NotificationSettings {
  channels: Channel[];
  available: Channel[];
}

/** The channels that the caller wants messages by, and those that there are. */
export async function readNotificationSettings(
  context: Context,
  { id, tenantId }: AccountActor,
): Promise<NotificationSettings> {
  const chosen = await inTenant(context.db, tenantId, (tx) => findChannels(tx, id));
  return {
    channels: Channel.options.filter((channel) => chosen.includes(channel)),
    available: await configuredChannels(context, tenantId),
  };
}
