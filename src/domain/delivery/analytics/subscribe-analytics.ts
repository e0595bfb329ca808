import { z } from 'zod';
import type { AccountActor } from '../../../contract/actor.ts';
import { Problem } from '../../../contract/problem.ts';
import { Timestamp } from '../../../contract/timestamp.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { HubUnavailable, tokenMinutes } from '../../../lib/live/web-pubsub.ts';
import { describeError } from '../../../lib/telemetry/log.ts';
import { loadStaff, requireCapability } from '../../identity/groups/staff.ts';
import { keepFeed } from './analytics.queries.ts';

export const AnalyticsSubscription = z
  .object({
    url: z.string().meta({
      format: 'uri',
      description: 'Where to open a WebSocket, once; the token in it receives and sends nothing.',
    }),
    protocol: z.literal('json.webpubsub.azure.v1').meta({ description: 'The subprotocol to ask for.' }),
    hub: z.string().meta({ description: 'Of Azure Web PubSub.' }),
    group: z.string().meta({ description: 'Whose messages the client receives, without joining it.' }),
    expires_at: Timestamp.meta({ description: 'Negotiate again before: messages end within an hour after.' }),
  })
  .meta({
    id: 'AnalyticsSubscription',
    description: 'What a client needs to follow the counts of its tenant.',
  });
export type AnalyticsSubscription = z.input<typeof AnalyticsSubscription>;

/** Without Web PubSub, clients read the queue with `next-case` or the lists this often. */
const pollAfterSeconds = 30;

/**
 * Lets a client follow the live counts of the tenant.
 * @throws {Problem} `capability_required`, `live_unavailable`
 */
export async function subscribeAnalytics(
  { db, analytics, request, log }: Context,
  actor: AccountActor,
): Promise<AnalyticsSubscription> {
  const { tenantId } = actor;
  const { receivedAt: now } = request;
  await inTenant(db, tenantId, async (tx) => {
    requireCapability(await loadStaff(tx, actor), 'analytics.read');
    if (analytics !== undefined)
      await keepFeed(tx, tenantId, new Date(now.getTime() + tokenMinutes * 60_000));
  });
  if (analytics === undefined) throw unavailable('Web PubSub is not configured.');
  try {
    const { url, hub, group, expiresAt } = await analytics.invite(tenantId, now);
    return { url, protocol: 'json.webpubsub.azure.v1', hub, group, expires_at: expiresAt };
  } catch (error) {
    if (!(error instanceof HubUnavailable)) throw error;
    log.error('live_unavailable', describeError(error.cause));
    throw unavailable('Web PubSub cannot be reached at the moment.');
  }
}

const unavailable = (detail: string) =>
  new Problem('live_unavailable', {
    detail,
    retryAfter: pollAfterSeconds,
    members: { poll_after_seconds: pollAfterSeconds },
  });
