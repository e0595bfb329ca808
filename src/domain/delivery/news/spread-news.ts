import { inTenant } from '../../../lib/db/tenant.ts';
import { lockClaimed, settle } from '../../../lib/outbox/claims.ts';
import { enqueue } from '../../../lib/outbox/enqueue.ts';
import type { OutboxMessage } from '../../../lib/outbox/message.ts';
import { audiences, type NewsPayload, respreadKey } from '../../announce/news/news.ts';
import type { NewsDelivery } from '../../announce/news/news-delivery.ts';
import { findDevicesOf } from './news.queries.ts';
import type { Recipient } from './recipients.queries.ts';

/**
 * Replaces a message to several people by one for each of them, or to a person by one for each device. The keys follow from
 * the identity of the news: a second worker that does the same adds nothing.
 *
 * News to those on call leaves a message that spreads it again, from `again` on. It stays until a provider has accepted one
 * for any of them; until then the others that wait are there, so that spreading again adds only what is missing: for those who
 * have come on call, and once more for those whose address or device was refused.
 *
 * @returns their number.
 * @throws {ClaimLost}
 */
export async function spreadNews(
  { db, clock, push }: NewsDelivery,
  message: OutboxMessage,
  news: NewsPayload,
  recipients: readonly Recipient[],
  again: Date,
): Promise<number> {
  const { consumer, topic, tenantId } = message;
  if (tenantId === undefined) return 0;
  const ids = recipients.map(({ userId }) => userId);
  return await inTenant(db, tenantId, async (tx) => {
    if (isRespread(message, news)) await lockClaimed(tx, message);
    else {
      await settle(tx, message);
      if (audiences[news.kind].to === 'on_call') {
        await enqueue(tx, { consumer, topic, tenantId, dedupeKey: respreadKey(news), payload: news }, again);
      }
    }
    const devices =
      consumer === 'mail'
        ? ids.map((id) => ({ user_id: id, uuid: null }))
        : (await findDevicesOf(tx, ids, clock.now())).filter(({ platform }) =>
            push.serves(platform as 'ios' | 'android' | 'web'),
          );
    for (const { user_id: userId, uuid } of devices) {
      const payload: NewsPayload = { ...news, user_id: userId, device_uuid: uuid };
      const key = `${news.identity}:${uuid ?? userId}`;
      await enqueue(tx, { consumer, topic, tenantId, dedupeKey: key, payload }, clock.now());
    }
    return devices.length;
  });
}

/** Whether the message has been spread before. */
export const isRespread = ({ dedupeKey }: OutboxMessage, news: NewsPayload): boolean =>
  dedupeKey === respreadKey(news);
