import { v7 as uuidv7 } from 'uuid';
import { auditEvents } from '../../../contract/audit.ts';
import type { Channel } from '../../../contract/channel.ts';
import { Problem } from '../../../contract/problem.ts';
import type { AuditContext } from '../../../lib/app/audit.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { enqueue } from '../../../lib/outbox/enqueue.ts';
import type { PushSender } from '../../../lib/push/push-sender.ts';
import type { CaseRecord } from '../../cases/record/case.queries.ts';
import { newsOf } from '../../announce/news/news.ts';
import { findChosenChannels, listPlatformsInUse, listRepeats } from './notifying.queries.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Repetitions of a message about one case in 24 hours; the first message, which no one asked for, does not count. */
const mostRepeats = 3;

export interface RepeatWork {
  audit: AuditContext;
  now: Date;
  push: Pick<PushSender, 'serves'>;
  /** Those that the tenant uses and that are configured. */
  channels: readonly Channel[];
}

/**
 * Has the patient told again of an answer that can be read. Call `outbox.kick()` after the commit.
 *
 * @param record locked.
 * @param wanted the channels to use; all where absent.
 * @returns the channels that are used.
 * @throws {Problem} `nothing_to_publish`, `no_channel`, `notified_recently`
 */
export async function repeatNews(
  tx: Tx,
  work: RepeatWork,
  record: CaseRecord,
  wanted: readonly Channel[] | undefined,
): Promise<Channel[]> {
  const { audit, now } = work;
  if (record.status !== 'closed' || record.final_annotation_uuid === null) {
    throw new Problem('nothing_to_publish');
  }
  const reachable = await channelsTo(tx, work, record);
  const channels = reachable.filter((channel) => wanted === undefined || wanted.includes(channel));
  if (channels.length === 0) throw new Problem('no_channel');
  await requireFewRepeats(tx, record, now);
  const messages = newsOf(record, 'answer_published', now, { channels, again: uuidv7() });
  for (const message of messages) await enqueue(tx, message, now);
  await audit.as(auditEvents.caseNotified).succeeded(tx, {
    subject: { kind: 'case', uuid: record.uuid },
    caseUuid: record.uuid,
    patientId: record.patient_id,
    detail: { channels },
  });
  return channels;
}

/** By which channels the patient of a case can be reached. */
async function channelsTo(
  tx: Tx,
  { push, channels, now }: RepeatWork,
  record: CaseRecord,
): Promise<Channel[]> {
  if (record.account_user_id === null) return [];
  const chosen = await findChosenChannels(tx, record.account_user_id);
  const platforms = await listPlatformsInUse(tx, record.account_user_id, now);
  const hasDevice = platforms.some((platform) => push.serves(platform as 'ios' | 'android' | 'web'));
  return channels.filter((channel) => chosen.includes(channel) && (channel !== 'push' || hasDevice));
}

/** The lock on the case makes repetitions wait for each other. */
async function requireFewRepeats(tx: Tx, { uuid }: CaseRecord, now: Date): Promise<void> {
  const since = new Date(now.getTime() - dayMs);
  const repeats = await listRepeats(tx, uuid, { since, limit: mostRepeats });
  const oldest = repeats[mostRepeats - 1];
  if (oldest === undefined) return;
  const retryAt = new Date(oldest.getTime() + dayMs);
  throw new Problem('notified_recently', { members: { retry_at: retryAt.toISOString() } });
}
