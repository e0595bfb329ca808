import { inTenant } from '../../../lib/db/tenant.ts';
import { removeMessage } from '../../../lib/outbox/claims.ts';
import type { OutboxMessage } from '../../../lib/outbox/message.ts';
import type { NewsPayload } from '../../announce/news/news.ts';
import type { NewsDelivery } from '../../announce/news/news-delivery.ts';
import { recordFailed } from './news-outcome.ts';

/** Its provider knows the device no longer: it is deleted, and the message to it with an event that says so. */
export async function forgetDevice(
  { db, log }: Pick<NewsDelivery, 'db' | 'log'>,
  message: OutboxMessage,
  news: NewsPayload,
): Promise<void> {
  const { tenantId } = message;
  const { device_uuid: uuid } = news;
  if (tenantId === undefined || uuid === null) return;
  await inTenant(db, tenantId, async (tx) => {
    await tx.deleteFrom('push_devices').where('uuid', '=', uuid).execute();
    await recordFailed(tx, message, news, 'gone');
    await removeMessage(tx, message);
  });
  log.info('push_device_gone', { message: message.id, tenant: tenantId });
}
