import { z } from 'zod';
import { Channel } from '../../../contract/channel.ts';
import type { NewMessage } from '../../../lib/outbox/enqueue.ts';

/** Events of a case that people are told of. */
export const NewsKind = z.enum([
  'answer_published',
  'answer_amended',
  'answer_withdrawn',
  'patient_asked',
  'patient_reminded',
  'not_eligible',
  'expired',
  'flags_found',
  'emergency',
  'cancelled_with_flags',
  'assigned',
  'correction_required',
]);
export type NewsKind = z.infer<typeof NewsKind>;

interface Audience {
  to: 'account' | 'assignee' | 'on_call' | 'signer';
  /** Urgent ones are sent at night as well, and whatever channels a person has chosen. */
  isUrgent: boolean;
}

export const audiences: Readonly<Record<NewsKind, Audience>> = {
  answer_published: { to: 'account', isUrgent: false },
  answer_amended: { to: 'account', isUrgent: false },
  answer_withdrawn: { to: 'account', isUrgent: false },
  patient_asked: { to: 'account', isUrgent: false },
  patient_reminded: { to: 'account', isUrgent: false },
  not_eligible: { to: 'account', isUrgent: false },
  expired: { to: 'account', isUrgent: false },
  flags_found: { to: 'account', isUrgent: true },
  emergency: { to: 'on_call', isUrgent: true },
  cancelled_with_flags: { to: 'on_call', isUrgent: true },
  assigned: { to: 'assignee', isUrgent: false },
  correction_required: { to: 'signer', isUrgent: false },
};

export const isForPatient = (kind: NewsKind): boolean => audiences[kind].to === 'account';

/**
 * Key of the message that spreads news to those on call again, until one of them is reached: who comes on call while a provider
 * is away gets it as well.
 */
export const respreadKey = ({ identity }: Pick<NewsPayload, 'identity'>): string => `${identity}:again`;

export const newsTopic = 'case_news';

/** Nothing older is sent: a database that was restored from a backup tells people nothing that is long past. */
export const sentWithinMs = 48 * 60 * 60 * 1000;

/** What a message of the outbox carries about an event. Everything else is read when it is delivered. */
export const NewsPayload = z.strictObject({
  kind: NewsKind,
  case_uuid: z.uuid(),
  /** When it happened. */
  at: z.iso.datetime(),
  /** The answer that counted then, and since when the case was on hold: news of an earlier one is none. */
  annotation_uuid: z.uuid().nullable(),
  held_at: z.iso.datetime().nullable(),
  /** The physician whose case it was then; of a correction, who signed the answer. */
  physician_id: z.int().nullable(),
  /** The one person it is for; null while that is to be found out. */
  user_id: z.int().nullable(),
  /** The one device it is for. */
  device_uuid: z.uuid().nullable(),
  /** Identifies the message to its reader, on every device and in every attempt. */
  identity: z.string(),
});
export type NewsPayload = z.infer<typeof NewsPayload>;

/** What news takes of the row of a case. */
export interface NewsRecord {
  uuid: string;
  tenant_id: number;
  version: number;
  account_user_id: number | null;
  assigned_physician_id: number | null;
  final_annotation_uuid: string | null;
  held_at: Date | null;
}

/**
 * The messages about an event of a case, one for each channel; none about a patient without an account. They belong into
 * the transaction of the event. Their identities follow from the event, so that it has one message for each channel,
 * however often that is delivered.
 *
 * @param record as the event has left it.
 * @param again tells a repetition that staff asked for from the event's own message, and from other repetitions.
 */
export function newsOf(
  record: NewsRecord,
  kind: NewsKind,
  at: Date,
  { channels = Channel.options, again }: { channels?: readonly Channel[]; again?: string } = {},
): NewMessage[] {
  if (isForPatient(kind) && record.account_user_id === null) return [];
  const event = [kind, record.uuid, record.version, ...(again === undefined ? [] : [again])].join(':');
  return channels.map((channel) => {
    const identity = `news:${channel}:${event}`;
    const payload: NewsPayload = {
      kind,
      case_uuid: record.uuid,
      at: at.toISOString(),
      annotation_uuid: record.final_annotation_uuid,
      held_at: record.held_at?.toISOString() ?? null,
      physician_id: record.assigned_physician_id,
      user_id: isForPatient(kind) ? record.account_user_id : null,
      device_uuid: null,
      identity,
    };
    return { consumer: channel, topic: newsTopic, tenantId: record.tenant_id, dedupeKey: identity, payload };
  });
}
