import type { Channel } from '../../../contract/channel.ts';
import { systemActorOf } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { removeMessage } from '../../../lib/outbox/claims.ts';
import type { OutboxMessage } from '../../../lib/outbox/message.ts';
import { openAudit, recordEvent } from '../../platform/events/record-event.ts';
import { audiences, isForPatient, NewsPayload, newsTopic } from '../../announce/news/news.ts';
import { deleteRespread, findPatientOf, setNotified } from './news.queries.ts';

/** A provider has accepted the message. */
export async function recordAccepted(
  tx: Tx,
  message: OutboxMessage,
  news: NewsPayload,
  now: Date,
): Promise<void> {
  if (isForPatient(news.kind)) await setNotified(tx, news, now);
  // Before the message itself, as spreading locks them: one of those on call knows, and no one else is needed.
  if (audiences[news.kind].to === 'on_call') await deleteRespread(tx, news);
  await removeMessage(tx, message);
}

/**
 * The outbox gives a message up: an event says so, and nothing is left for an operator to do. One whose workers have died
 * again and again stays: nothing is wrong with it.
 */
export async function acceptFailure(tx: Tx, message: OutboxMessage, code: string): Promise<boolean> {
  const { data: news } = NewsPayload.safeParse(message.payload);
  if (message.topic !== newsTopic || news === undefined || code === 'worker_lost') return false;
  await recordFailed(tx, message, news, code);
  return true;
}

/** One message has failed for good, by one channel and to one person or device; others may have arrived. */
export async function recordFailed(
  tx: Tx,
  { tenantId, consumer }: Pick<OutboxMessage, 'tenantId' | 'consumer'>,
  { kind, case_uuid: caseUuid }: NewsPayload,
  code: string,
): Promise<void> {
  if (tenantId === undefined) return;
  const patientId = await findPatientOf(tx, caseUuid);
  const request = { id: 'outbox', ipPrefix: undefined };
  const audit = openAudit(auditEvents.notificationFailed, systemActorOf(tenantId), request);
  await recordEvent(
    tx,
    audit.event('failure', {
      tenantId,
      subject: { kind: 'case', uuid: caseUuid },
      caseUuid,
      ...(patientId !== undefined && { patientId }),
      detail: { channel: consumer satisfies string as Channel, kind, code },
    }),
  );
}
