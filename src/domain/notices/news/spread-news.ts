import { inTenant } from '../../../lib/db/tenant.ts';
import { settle } from '../../../lib/outbox/claims.ts';
import { enqueue } from '../../../lib/outbox/enqueue.ts';
import type { OutboxMessage } from '../../../lib/outbox/message.ts';
import type { NewsPayload } from './news.ts';
import type { NewsDelivery } from './news-delivery.ts';
import type { Recipient } from './recipients.queries.ts';

/**
 * Replaces a message to several people by one for each of them, or to a person by one for each device. The keys follow from
 * that of the message: a second worker that does the same adds nothing.
 *
 * @returns their number.
 * @throws {ClaimLost}
 */
export async function spreadNews(
  { db, clock, push }: NewsDelivery,
  message: OutboxMessage,
  news: NewsPayload,
  recipients: readonly Recipient[],
): Promise<number> {
  const { consumer, topic, tenantId, dedupeKey } = message;
  if (tenantId === undefined) return 0;
  const ids = recipients.map(({ userId }) => userId);
  return await inTenant(db, tenantId, async (tx) => {
    await settle(tx, message);
    const devices =
      consumer === 'mail'
        ? ids.map((id) => ({ user_id: id, uuid: null }))
        : (
            await tx
              .selectFrom('push_devices')
              .select(['user_id', 'uuid', 'platform'])
              .where('user_id', 'in', ids)
              .orderBy('uuid')
              .execute()
          ).filter(({ platform }) => push.serves(platform as 'ios' | 'android' | 'web'));
    for (const { user_id: userId, uuid } of devices) {
      const payload: NewsPayload = { ...news, user_id: userId, device_uuid: uuid };
      const key = `${dedupeKey}:${uuid ?? userId}`;
      await enqueue(tx, { consumer, topic, tenantId, dedupeKey: key, payload }, clock.now());
    }
    return devices.length;
  });
}
