import { inTenant } from '../../../lib/db/tenant.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';
import { isRightToLeft } from '../../platform/texts/messages.ts';
import { deviceTokenPurpose } from '../../identity/devices/device-token.ts';
import { toldAs } from './judge-news.ts';
import { isForPatient, type NewsPayload, sentWithinMs } from '../../announce/news/news.ts';
import type { NewsDelivery } from '../../announce/news/news-delivery.ts';
import { findDeviceInUse, type NewsCase } from './news.queries.ts';
import type { Recipient } from './recipients.queries.ts';
import { renderNewsMail, renderNewsPush } from './render-news.ts';
import { isUrgentNews } from './urgent-news.ts';

const dayMs = 24 * 60 * 60 * 1000;

interface Addressed {
  tenantId: number;
  news: NewsPayload;
  record: NewsCase;
  recipient: Recipient;
}

/** Resolves when the mail server has accepted the mail. @param key which its Message-ID is made of. */
export async function sendMail(
  delivery: NewsDelivery,
  { tenantId, news, record, recipient, key }: Addressed & { key: string },
): Promise<void> {
  const { mailer } = delivery;
  if (mailer === undefined) throw new Error('no mail server is configured');
  const { pending_days: days } = await readParameters(delivery, tenantId, 'retention/rules');
  const { email, language } = recipient;
  const until = new Date((record.held_at ?? new Date(news.at)).getTime() + days * dayMs);
  const mail = renderNewsMail(toldAs(news, record), language, { email, until }, linkOf(delivery, news));
  // Outside of any transaction: a slow mail server must not hold one open.
  await mailer.send({ ...mail, to: email, language, key });
}

/**
 * Resolves when the provider has accepted the message.
 * @returns false where the device was removed or its session has ended meanwhile.
 * @throws {FieldCryptoError} for a token that a retired key has sealed: it is sealed anew when its app starts.
 */
export async function sendPush(
  delivery: NewsDelivery,
  { tenantId, news, record, recipient }: Addressed,
): Promise<boolean> {
  const { db, clock, push, fieldCrypto } = delivery;
  const device = await inTenant(db, tenantId, (tx) =>
    findDeviceInUse(tx, { uuid: news.device_uuid, userId: recipient.userId }, clock.now()),
  );
  if (device === undefined) return false;
  const token = await fieldCrypto.open(device.token, deviceTokenPurpose(device.uuid));
  const { language } = recipient;
  await push.send(
    { platform: device.platform as 'ios' | 'android' | 'web', token },
    {
      ...renderNewsPush(toldAs(news, record), language),
      key: news.identity,
      language,
      direction: isRightToLeft(language) ? 'rtl' : 'ltr',
      url: linkOf(delivery, news),
      data: { case_uuid: news.case_uuid },
      isUrgent: isUrgentNews(news, record),
      expiresAt: new Date(new Date(news.at).getTime() + sentWithinMs),
    },
  );
  return true;
}

/** The page of the case. Its address says nothing of it, and opens for those who may see it. */
function linkOf({ portalUrl, backofficeUrl }: NewsDelivery, { kind, case_uuid: uuid }: NewsPayload): string {
  const base = isForPatient(kind) ? portalUrl : backofficeUrl;
  return `${base.replace(/\/+$/, '')}/cases/${uuid}`;
}
