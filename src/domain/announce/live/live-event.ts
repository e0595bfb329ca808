import type { Notice } from '../../../contract/notice.ts';
import { deviceLabel } from './device-label.ts';
import type { NoticeKind, NoticePayloads } from './notice-kinds.ts';

/** An event of a stream. */
export interface LiveEvent {
  id: number;
  name: string;
  data: Readonly<Record<string, string | boolean | null>>;
}

type NoticeFacts = Pick<Notice, 'at' | 'agent'>;

type OfKind = {
  [Kind in NoticeKind]: (payload: NoticePayloads[Kind], notice: NoticeFacts) => LiveEvent['data'];
};

const ofCase = ({ case_uuid }: { case_uuid: string }, { at }: NoticeFacts) => ({
  case_uuid,
  at: at.toISOString(),
});

/** What each kind of notice says; of what ends soon, `at` is the end. */
const dataOf: OfKind = {
  'case.assigned': ofCase,
  'case.lease_expired': ofCase,
  'case.cancelled': ofCase,
  'lease.expiring': ({ case_uuid, ends_at: at }) => ({ case_uuid, at }),
  'audit.correction_required': (payload, notice) => ({
    ...ofCase(payload, notice),
    annotation_uuid: payload.annotation_uuid,
  }),
  'session.replaced': (_payload, { at, agent }) => ({
    at: at.toISOString(),
    device_label: deviceLabel(agent),
  }),
  'session.revoked': ({ reason }, { at }) => ({ at: at.toISOString(), reason }),
  'session.expiring': ({ ends_at: at }) => ({ at }),
};

/** The event that tells a notice for which {@link isForSession} holds. */
export function liveEvent({ id, kind: name, payload, ...notice }: Notice): LiveEvent {
  const data = dataOf[name as NoticeKind] as (payload: object, notice: NoticeFacts) => LiveEvent['data'];
  return { id, name, data: data(payload, notice) };
}

/**
 * Whether a stream of this session tells the notice: what happens to a session only its own streams do, and of a kind that a
 * newer version has written none.
 */
export const isForSession = ({ kind, payload: { session_uuid: session } }: Notice, own: string): boolean =>
  Object.hasOwn(dataOf, kind) && (session === undefined || session === own);
