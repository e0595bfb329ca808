import type { AccountActor } from '../../../contract/actor.ts';
import { Channel } from '../../../contract/channel.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { configuredChannels } from '../../announce/news/configured-channels.ts';
import type { NotificationSettings } from './notification-settings.ts';
import { setChannels } from './notification-settings.queries.ts';

/** Changes the channels that the caller gets messages by; none at all is a choice as well. */
export async function chooseChannels(
  context: Context,
  { id, uuid, tenantId }: AccountActor,
  { channels }: { channels: readonly Channel[] },
): Promise<NotificationSettings> {
  const chosen = Channel.options.filter((channel) => channels.includes(channel));
  await inTenant(context.db, tenantId, async (tx) => {
    await setChannels(tx, id, chosen);
    const subject = { kind: 'user', uuid };
    await context.audit.succeeded(tx, { subject, detail: { channels: chosen } });
  });
  return { channels: chosen, available: await configuredChannels(context, tenantId) };
}
