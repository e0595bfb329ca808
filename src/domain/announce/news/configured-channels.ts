import { Channel } from '../../../contract/channel.ts';
import type { AppContext } from '../../../lib/app/context.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';

type Configured = Pick<AppContext, 'db' | 'clock' | 'log' | 'memory' | 'config' | 'push'>;

/**
 * The channels that a tenant uses and this installation is configured for. In development mail counts as configured without
 * a mail server as well: what would be sent is logged. Not for use within a transaction.
 */
export async function configuredChannels(context: Configured, tenantId: number): Promise<Channel[]> {
  const { channels } = await readParameters(context, tenantId, 'notify/rules');
  return Channel.options.filter((channel) => channels.includes(channel) && isConfigured(context, channel));
}

function isConfigured({ config, push }: Configured, channel: Channel): boolean {
  if (channel === 'mail') return config.MAIL_URL !== undefined || !config.production;
  return push.serves('ios') || push.serves('web');
}
