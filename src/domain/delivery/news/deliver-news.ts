import type { Channel } from '../../../contract/channel.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { FieldCryptoError } from '../../../lib/crypto/field-crypto.ts';
import { errorCode } from '../../../lib/telemetry/log.ts';
import { MailRejected } from '../../../lib/mail/mailer.ts';
import { removeMessage } from '../../../lib/outbox/claims.ts';
import { NotYet, type OutboxMessage, Undeliverable } from '../../../lib/outbox/message.ts';
import { PushDelayed, PushGone, PushRejected } from '../../../lib/push/push-message.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';
import { judgeNews, mayWait } from './judge-news.ts';
import { NewsPayload } from '../../announce/news/news.ts';
import type { NewsDelivery } from '../../announce/news/news-delivery.ts';
import { deleteDevice } from './news.queries.ts';
import { recordAccepted, recordFailed } from './news-outcome.ts';
import { quietUntil } from './quiet-hours.ts';
import { sendMail, sendPush } from './send-news.ts';
import { isRespread, spreadNews } from './spread-news.ts';

/** Least time until news to those on call is spread again: an address that is refused each time must not raise alerts. */
const respreadSeconds = 600;

/**
 * Delivers a message about an event of a case, as the database has it now: one that is old, no longer true or not wanted is
 * dropped, one that is not urgent waits for the end of the quiet hours. A provider that is away is asked again until the
 * message is too old, at growing intervals of an hour at most.
 */
export async function deliverNews(delivery: NewsDelivery, message: OutboxMessage): Promise<void> {
  const { db, log, clock } = delivery;
  const { tenantId } = message;
  const channel = message.consumer as Channel;
  const { data: news } = NewsPayload.safeParse(message.payload);
  if (tenantId === undefined || news === undefined) throw new Undeliverable('bad_payload');
  const facts = { message: message.id, channel, kind: news.kind, tenant: tenantId, case: news.case_uuid };
  const drop = (reason: string) => log.info('notification_dropped', { ...facts, reason });

  const rules = await readParameters(delivery, tenantId, 'notify/rules');
  if (!rules.channels.includes(channel) || !isConfigured(delivery, channel)) return drop('channel_off');
  const now = clock.now();
  const judged = await inTenant(db, tenantId, (tx) => judgeNews(tx, news, now));
  const again = nextAttempt(news, now, respreadSeconds);
  const isAgain = isRespread(message, news);
  // Those for whom it was spread have messages of their own, which report it.
  if (judged === 'too_old' && !isAgain) throw new Undeliverable(judged);
  // Between two shifts no one is on call.
  if (judged === 'no_recipient' && isAgain) throw new NotYet(again);
  if (typeof judged === 'string') return drop(judged);
  const recipients = judged.recipients.filter(({ channels }) => channels.includes(channel));
  if (recipients.length === 0) return drop('not_wanted');
  const quiet = mayWait(news, judged.record) ? quietUntil(rules, now) : undefined;
  if (quiet !== undefined) throw new NotYet(quiet);

  const [recipient] = recipients;
  if (recipient === undefined || isForSeveral(news, channel)) {
    const count = await spreadNews(delivery, message, news, recipients, again);
    log.info('notification_spread', { ...facts, count });
    if (isAgain) throw new NotYet(again);
    return;
  }
  try {
    const addressed = { tenantId, news, record: judged.record, recipient };
    if (channel === 'mail') await sendMail(delivery, { ...addressed, key: message.dedupeKey });
    else if (!(await sendPush(delivery, addressed))) return drop('no_device');
  } catch (error) {
    if (error instanceof PushGone) return await forgetDevice(delivery, message, news);
    if (error instanceof MailRejected || error instanceof PushRejected || error instanceof FieldCryptoError) {
      throw new Undeliverable(error.code, { cause: error });
    }
    const minutes = Math.floor((now.getTime() - new Date(news.at).getTime()) / 60_000);
    log.warn('notification_delayed', { ...facts, minutes, code: errorCode(error) ?? 'unexpected' });
    throw new NotYet(nextAttempt(news, now, error instanceof PushDelayed ? error.retryAfterSeconds : 0));
  }
  log.info('notification_sent', facts);
  await inTenant(db, tenantId, (tx) => recordAccepted(tx, message, news, clock.now()));
}

/** Its provider knows the device no longer: it is deleted, and the message to it with an event that says so. */
async function forgetDevice(
  { db, log }: Pick<NewsDelivery, 'db' | 'log'>,
  message: OutboxMessage,
  news: NewsPayload,
): Promise<void> {
  const { tenantId } = message;
  const { device_uuid: uuid } = news;
  if (tenantId === undefined || uuid === null) return;
  await inTenant(db, tenantId, async (tx) => {
    await deleteDevice(tx, uuid);
    await recordFailed(tx, message, news, 'gone');
    await removeMessage(tx, message);
  });
  log.info('push_device_gone', { message: message.id, tenant: tenantId });
}

function isConfigured({ mailer, push }: NewsDelivery, channel: Channel): boolean {
  return channel === 'mail' ? mailer !== undefined : push.serves('ios') || push.serves('web');
}

/** Each person, and each device of a person, gets a message of the outbox: one that fails holds back no other. */
const isForSeveral = ({ user_id: user, device_uuid: device }: NewsPayload, channel: Channel) =>
  channel === 'mail' ? user === null : device === null;

/** A quarter of the time that has passed since the event: soon after a short outage, seldom during a long one. */
function nextAttempt({ at }: NewsPayload, now: Date, askedSeconds: number): Date {
  const age = (now.getTime() - new Date(at).getTime()) / 1000;
  const seconds = Math.min(Math.max(age / 4, 10), 3600);
  return new Date(now.getTime() + Math.max(seconds, askedSeconds) * 1000);
}
